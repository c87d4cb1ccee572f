import { isObject, type JsonObject } from '../../json-rpc/message.js';
import { parseObject } from '../mutation/filter.js';
import type { HttpAsked } from '../mutation/mutation.js';
import type { Protection } from '../mutation/protection.js';

type Kind = NonNullable<Protection['sharesHandles']>;

const IN_TEXT: Readonly<Record<'state' | 'task', RegExp>> = {
  state: /"requestState":"([^"]+)"/gu,
  task: /"taskId":"([^"]+)"/gu,
};

/** Which user was given which session, request state and task. */
export class HandleOwners {
  readonly #owners = new Map<string, string>();
  readonly #shared: Kind | undefined;

  constructor(shared: Kind | undefined) {
    this.#shared = shared;
  }

  /** Remembers the handles in an answer to this user. */
  learn(user: string, text: string): void {
    for (const [kind, pattern] of Object.entries(IN_TEXT)) {
      for (const [, handle = ''] of text.matchAll(pattern)) this.#claim(kind, handle, user);
    }
  }

  learnSession(user: string, sessionId: string | undefined): void {
    if (sessionId !== undefined) this.#claim('session', sessionId, user);
  }

  /** The kind of what a request uses although it belongs to somebody else. */
  foreign(user: string, { headers, body }: HttpAsked): Kind | undefined {
    const message: JsonObject = parseObject(body) ?? {};
    const params = isObject(message['params']) ? message['params'] : {};
    const used: Readonly<Record<Kind, unknown>> = {
      session: headers['mcp-session-id'],
      state: params['requestState'],
      task: params['taskId'],
    };
    return (['session', 'state', 'task'] as const).find((kind) => {
      const owner = this.#owners.get(`${kind} ${String(used[kind])}`);
      return kind !== this.#shared && owner !== undefined && owner !== user;
    });
  }

  #claim(kind: string, handle: string, user: string): void {
    const key = `${kind} ${handle}`;
    if (!this.#owners.has(key)) this.#owners.set(key, user);
  }
}
