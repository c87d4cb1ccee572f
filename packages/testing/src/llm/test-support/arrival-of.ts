import type { Arrival } from '../wire/arrival.js';
import { DOUBLE_KEY } from '../scripted-llm.js';

/** A request with the headers that every provider accepts. A text is sent as it is. */
export const arrivalOf = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Arrival => ({
  method: 'POST',
  path,
  query: '',
  headers: {
    host: 'double.test',
    authorization: `Bearer ${DOUBLE_KEY}`,
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
    ...headers,
  },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
