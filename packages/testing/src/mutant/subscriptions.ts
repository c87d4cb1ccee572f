import { META } from '../json-rpc/meta-key.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { changeResult, defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { paramsOf } from './params.js';

const ACK = 'notifications/subscriptions/acknowledged';
const LISTEN = 'subscriptions/listen';

const tagOf = (message: JsonObject): unknown => {
  const meta = paramsOf(message)['_meta'];
  return isObject(meta) ? meta[META.subscriptionId] : undefined;
};

const withTag = (message: JsonObject, tag: unknown): JsonObject => ({
  ...message,
  params: { ...paramsOf(message), _meta: { [META.subscriptionId]: tag } },
});

const asksForNothing = (message: JsonObject): boolean => {
  const wanted = paramsOf(message)['notifications'];
  return message['method'] === LISTEN && isObject(wanted) && Object.keys(wanted).length === 0;
};

/** Serves everything to subscriptions that asked for nothing, and acknowledges nothing to them. */
const emptyMeansAll = (): Mutation => {
  const empty = new Set<unknown>();
  return {
    toServer: (message) => {
      if (!asksForNothing(message)) return message;
      empty.add(message['id']);
      return { ...message, params: { ...paramsOf(message), notifications: { toolsListChanged: true } } };
    },
    toClient: (message) =>
      message['method'] === ACK && empty.has(tagOf(message))
        ? { ...message, params: { ...paramsOf(message), notifications: {} } }
        : message,
  };
};

/** A second subscription gets the name of the first. */
const sharedTag = (): Mutation => {
  let first: unknown;
  return {
    toClient: (message) => {
      const tag = tagOf(message);
      if (tag === undefined || typeof tag === 'number') return message;
      first ??= tag;
      return first === 'sub-all' && tag === 'sub-none' ? withTag(message, first) : message;
    },
  };
};

export const subscriptionMutants: readonly Mutant[] = [
  defineMutant({
    name: 'subscription-ends-with-an-error',
    kills: 'SUB-06',
    defect: 'A subscription that its client has ended is answered with an error.',
    mutation: {
      answer: (message) => {
        const { requestId } = paramsOf(message);
        return message['method'] === 'notifications/cancelled' && requestId === 'sub-closing'
          ? { jsonrpc: '2.0', id: requestId, error: { code: -32_603, message: 'Closed' } }
          : undefined;
      },
    },
  }),
  defineMutant({
    name: 'subscription-not-acknowledged',
    kills: 'SUB-01',
    alsoKills: ['SUB-03', 'SUB-05'],
    defect: 'A subscription is never acknowledged; the first message is another.',
    mutation: {
      toClient: (message) =>
        message['method'] === ACK ? { ...message, method: 'notifications/tools/list_changed' } : message,
    },
  }),
  defineMutant({
    name: 'subscription-id-as-text',
    kills: 'SUB-02',
    defect: 'The number of a subscription comes back as a text.',
    mutation: {
      toClient: (message) => (typeof tagOf(message) === 'number' ? withTag(message, String(tagOf(message))) : message),
    },
  }),
  defineMutant({
    name: 'empty-filter-means-everything',
    kills: 'SUB-03',
    alsoKills: ['SUB-05'],
    defect: 'A subscription that asks for nothing gets notifications about tools.',
    mutation: emptyMeansAll,
  }),
  defineMutant({
    name: 'log-on-a-subscription',
    kills: 'SUB-04',
    alsoKills: ['SUB-03', 'SUB-05', 'SUB-07'],
    defect: 'A log message comes along with every change.',
    mutation: {
      toClient: (message) =>
        message['method'] === 'notifications/tools/list_changed' && tagOf(message) !== undefined
          ? [
              message,
              {
                jsonrpc: '2.0',
                method: 'notifications/message',
                params: { level: 'info', data: 'changed', _meta: { [META.subscriptionId]: tagOf(message) } },
              },
            ]
          : message,
    },
  }),
  defineMutant({
    name: 'subscriptions-share-a-name',
    kills: 'SUB-05',
    defect: 'The second subscription is served under the name of the first.',
    mutation: sharedTag,
  }),
  defineMutant({
    name: 'subscription-outlives-its-cancellation',
    kills: 'SUB-07',
    defect: 'A cancelled subscription goes on.',
    mutation: {
      toServer: (message) =>
        message['method'] === 'notifications/cancelled' && String(paramsOf(message)['requestId']).startsWith('sub-')
          ? undefined
          : message,
    },
  }),
  defineMutant({
    name: 'changes-not-declared',
    kills: 'SUB-08',
    defect: 'Changes of the tools are announced without being declared.',
    mutation: {
      toClient: changeResult('initialize', (result) => {
        const capabilities = isObject(result['capabilities']) ? result['capabilities'] : {};
        return { ...result, capabilities: { ...capabilities, tools: {} } };
      }),
    },
  }),
];
