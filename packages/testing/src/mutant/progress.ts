import { isObject, type JsonObject } from '../json-rpc/message.js';
import { defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { paramsOf } from './params.js';

const PROGRESS = 'notifications/progress';

const changeProgress =
  (change: (params: JsonObject) => JsonObject): NonNullable<Mutation['toClient']> =>
  (message) =>
    message['method'] === PROGRESS ? { ...message, params: change(paramsOf(message)) } : message;

/** Reports once more when the answer is out; only a shared channel has a place for that. */
const afterwards: Mutation = {
  toClient: (message, { request }) => {
    const params = paramsOf(request);
    const token = isObject(params['_meta']) ? params['_meta']['progressToken'] : undefined;
    if (params['name'] !== 'progress' || token === undefined || !isObject(message['result'])) return message;
    return [message, { jsonrpc: '2.0', method: PROGRESS, params: { progressToken: token, progress: 99, total: 100 } }];
  },
};

/** Makes up a token for requests that have none. */
const unasked: Mutation = {
  toServer: (message) => {
    const params = paramsOf(message);
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    if (message['method'] !== 'tools/call' || params['name'] !== 'progress' || 'progressToken' in meta) return message;
    return { ...message, params: { ...params, _meta: { ...meta, progressToken: 'made-up' } } };
  },
};

/** Keeps reports back until the answer comes. */
const heldBack = (): Mutation => {
  const held = new Map<unknown, JsonObject[]>();
  return {
    toClient: (message, { request }) => {
      if (message['method'] === PROGRESS && String(paramsOf(message)['progressToken']).startsWith('delivered')) {
        const token = paramsOf(message)['progressToken'];
        held.set(token, [...(held.get(token) ?? []), message]);
        return undefined;
      }
      const meta = paramsOf(request)['_meta'];
      const token = isObject(meta) && 'id' in message ? meta['progressToken'] : undefined;
      const reports = held.get(token) ?? [];
      held.delete(token);
      return [...reports, message];
    },
  };
};

export const progressMutants: readonly Mutant[] = [
  defineMutant({
    name: 'progress-comes-with-the-answer',
    kills: 'PRG-06',
    defect: 'Reports are buffered until the answer is sent.',
    mutation: heldBack,
  }),
  defineMutant({
    name: 'progress-token-as-text',
    kills: 'PRG-01',
    defect: 'A token that is a number comes back as a text.',
    mutation: {
      toClient: changeProgress((params) => ({ ...params, progressToken: String(params['progressToken']) })),
    },
  }),
  defineMutant({
    name: 'progress-stands-still',
    kills: 'PRG-02',
    defect: 'Every report says the same.',
    mutation: { toClient: changeProgress((params) => ({ ...params, progress: 1 })) },
  }),
  defineMutant({
    name: 'progress-after-the-response',
    kills: 'PRG-03',
    transports: ['stdio', 'sse'],
    defect: 'A report comes after the response.',
    mutation: afterwards,
  }),
  defineMutant({
    name: 'progress-without-token',
    kills: 'PRG-04',
    defect: 'Progress is reported to those who did not ask.',
    mutation: unasked,
  }),
  defineMutant({
    name: 'progress-flood',
    kills: 'PRG-05',
    defect: 'Each report comes two hundred times, a little further each time.',
    mutation: {
      toClient: (message) =>
        message['method'] === PROGRESS
          ? Array.from({ length: 200 }, (_, index) => ({
              ...message,
              params: {
                ...paramsOf(message),
                progress: Number(paramsOf(message)['progress']) - 1 + index / 200,
              },
            }))
          : message,
    },
  }),
];
