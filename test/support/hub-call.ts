import { keyOf } from './hub-keys.js';
import { workersOfTests } from './workers-of-tests.js';

export interface HubAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** Plain HTTP to a hub, as somebody with a key would do it. */
export const hubCallWith =
  (url: string, key: string | undefined) =>
  async (method: string, path: string, body?: unknown): Promise<HubAnswer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        // A new connection goes to the next worker.
        ...(workersOfTests() === undefined ? {} : { connection: 'close' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };

/** Plain HTTP to a hub of this process, as a script of its owner would do it. */
export const hubCall = (url: string, method: string, path: string, body?: unknown): Promise<HubAnswer> =>
  hubCallWith(url, keyOf(url))(method, path, body);
