import { isObject, type JsonObject } from '../json-rpc/message.js';
import { defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';

const isCall = (message: JsonObject | undefined): boolean => message?.['method'] === 'tools/call';

/** How many calls are in flight: these defects show only when there are several. */
class Crowd {
  #open = 0;
  #answered = 0;

  readonly arrive = (message: JsonObject): JsonObject => {
    if (isCall(message)) this.#open += 1;
    return message;
  };

  /** Every fifth answer to a call, when others are waiting. */
  isNext(message: JsonObject, request: JsonObject | undefined): boolean {
    if (!isCall(request) || 'method' in message) return false;
    const several = this.#open > 1;
    this.#open -= 1;
    this.#answered += 1;
    return several && this.#answered % 5 === 0;
  }
}

const underLoad =
  (change: (message: JsonObject) => JsonObject | readonly JsonObject[]): (() => Mutation) =>
  () => {
    const crowd = new Crowd();
    return {
      toServer: crowd.arrive,
      toClient: (message, { request }) => (crowd.isNext(message, request) ? change(message) : message),
    };
  };

/** Gives a caller what another one got before. */
const leaking = (): Mutation => {
  const crowd = new Crowd();
  let last: unknown;
  return {
    toServer: crowd.arrive,
    toClient: (message, { request }) => {
      const before = last;
      if (isCall(request) && isObject(message['result'])) last = message['result'];
      return crowd.isNext(message, request) && before !== undefined ? { ...message, result: before } : message;
    },
  };
};

const OPENINGS = new Set<unknown>(['initialize', 'server/discover']);

/** Two calls before the first answer wait for each other forever. */
const deadlocking = (): Mutation => {
  let [waiting, isReady] = [0, false];
  return {
    toServer: (message, { transport }) => {
      // Over stdio a conversation that begins is a new process, which knows nothing.
      if (transport === 'stdio' && OPENINGS.has(message['method'])) [waiting, isReady] = [0, false];
      if (!isCall(message) || isReady) return message;
      waiting += 1;
      return waiting > 1 ? undefined : message;
    },
    toClient: (message, { request }) => {
      isReady ||= isCall(request) && waiting === 1;
      return waiting > 1 && isCall(request) ? undefined : message;
    },
  };
};

/** Reports progress to the token of the latest caller. */
const misdirecting = (): Mutation => {
  let newest: unknown;
  const tokenOf = (message: JsonObject | undefined): unknown => {
    const params = message?.['params'];
    const meta = isObject(params) ? params['_meta'] : undefined;
    return isObject(meta) ? meta['progressToken'] : undefined;
  };
  return {
    toServer: (message) => {
      newest = tokenOf(message) ?? newest;
      return message;
    },
    toClient: (message) =>
      message['method'] === 'notifications/progress' && isObject(message['params'])
        ? { ...message, params: { ...message['params'], progressToken: newest } }
        : message,
  };
};

/** Servers that answer correctly one at a time, and wrongly under load. `kills` names the violation that must be found. */
export const LOAD_MUTANTS: readonly Mutant[] = [
  defineMutant({
    name: 'ids-mixed-under-load',
    kills: 'id-mixed',
    defect: 'When several calls are open, some answers carry the id of another request.',
    mutation: underLoad((message) => ({ ...message, id: Number(message['id']) + 1_000_000 })),
  }),
  defineMutant({
    name: 'answers-leak-under-load',
    kills: 'foreign-canary',
    defect: 'When several calls are open, some callers get what another one asked for.',
    mutation: leaking,
  }),
  defineMutant({
    name: 'answers-emptied-under-load',
    kills: 'canary-missing',
    defect: 'When several calls are open, some answers are those of nobody.',
    mutation: underLoad((message) => ({
      ...message,
      result: { content: [{ type: 'text', text: 'something' }], resultType: 'complete' },
    })),
  }),
  defineMutant({
    name: 'answers-twice-under-load',
    kills: 'surplus-answer',
    defect: 'When several calls are open, some are answered twice.',
    mutation: underLoad((message) => [message, message]),
    transports: ['stdio', 'sse'],
  }),
  defineMutant({
    name: 'streams-answer-twice-under-load',
    kills: 'surplus-answer',
    defect: 'When several calls are open, some event streams have the answer twice.',
    mutation: underLoad((message) => [message, message]),
    transports: ['streamable-http'],
    target: { load: { call: { tool: 'progress', arguments: { steps: 2, ms: 1 } } } },
  }),
  defineMutant({
    name: 'surplus-responses-under-load',
    kills: 'surplus-answer',
    defect: 'Every fifth call gets a second HTTP response on the kept connection.',
    mutation: () => {
      let calls = 0;
      return {
        http: {
          surplus: ({ body }) => {
            if (!body.includes('"tools/call"')) return false;
            calls += 1;
            return calls % 5 === 0;
          },
        },
      };
    },
    transports: ['streamable-http'],
  }),
  defineMutant({
    name: 'answers-malformed-under-load',
    kills: 'schema-invalid',
    defect: 'When several calls are open, some results have no content.',
    mutation: underLoad((message) => {
      const result = isObject(message['result']) ? message['result'] : {};
      return { ...message, result: { ...result, content: 'text' } };
    }),
  }),
  defineMutant({
    name: 'progress-misdirected-under-load',
    kills: 'progress-mixed',
    defect: 'Progress goes to the latest caller.',
    mutation: misdirecting,
    target: { load: { call: { tool: 'progress', arguments: { steps: 4, ms: 10 } } } },
  }),
  defineMutant({
    name: 'first-calls-deadlock',
    kills: 'first-calls',
    defect: 'Two calls before the first answer wait for each other forever.',
    mutation: deadlocking,
  }),
];
