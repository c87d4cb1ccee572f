import type { JsonObject } from '../json-rpc/message.js';
import { defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { eraOf, paramsOf } from './params.js';

const CANCELLED = 'notifications/cancelled';

const isCancel = (message: JsonObject): boolean => message['method'] === CANCELLED;

/** Calls nothing any more once a cancellation matches what it has answered or is answering, in quick succession. */
const diesOfTheRace = (): Mutation => {
  const dead = { legacy: false, modern: false };
  return {
    toServer: (message) => {
      const era = eraOf(message);
      if (isCancel(message) && String(paramsOf(message)['requestId']) === 'race-3') dead[era] = true;
      return dead[era] && message['method'] === 'tools/call' ? undefined : message;
    },
  };
};

/** Cancels the one that was not meant. */
const wrongOne = (): Mutation => ({
  toServer: (message) =>
    isCancel(message) && paramsOf(message)['requestId'] === 'one'
      ? { ...message, params: { ...paramsOf(message), requestId: 'other' } }
      : message,
});

/** Each cancelled call keeps its place; when all places are taken, no call is served. */
const leaks = (): Mutation => {
  let places = 20;
  return {
    toServer: (message) => {
      if (isCancel(message)) places -= 1;
      return message['method'] === 'tools/call' && places <= 0 ? undefined : message;
    },
  };
};

/** Does not answer initialize when it was cancelled. */
const forgetsInitialize = (): Mutation => {
  const cancelled = new Set<unknown>();
  return {
    toServer: (message) => {
      if (isCancel(message)) cancelled.add(paramsOf(message)['requestId']);
      return message;
    },
    toClient: (message, { request }) =>
      request?.['method'] === 'initialize' && cancelled.delete(message['id']) ? undefined : message,
  };
};

/** Goes on with a cancelled call and reports its progress; only the answer is left out. */
const reportsOn = (): Mutation => {
  const calls = new Set<unknown>();
  const cancelled = new Set<unknown>();
  return {
    toServer: (message) => {
      if (message['method'] === 'tools/call') calls.add(message['id']);
      const { requestId } = paramsOf(message);
      if (!isCancel(message) || !calls.has(requestId)) return message;
      cancelled.add(requestId);
      return undefined;
    },
    toClient: (message) => (!('method' in message) && cancelled.has(message['id']) ? undefined : message),
  };
};

export const cancellationMutants: readonly Mutant[] = [
  defineMutant({
    name: 'cancellation-ignored',
    kills: 'CAN-01',
    alsoKills: ['SUB-07'],
    defect: 'A cancelled request is still answered.',
    mutation: { toServer: (message) => (isCancel(message) ? undefined : message) },
  }),
  defineMutant({
    name: 'malformed-cancellation-answered',
    kills: 'CAN-02',
    defect: 'A cancellation without a request is answered.',
    transports: ['stdio'],
    mutation: {
      answer: (message) =>
        isCancel(message) && paramsOf(message)['requestId'] === undefined
          ? { jsonrpc: '2.0', id: null, error: { code: -32_602, message: 'requestId is required' } }
          : undefined,
    },
  }),
  defineMutant({
    name: 'race-is-deadly',
    kills: 'CAN-03',
    alsoKills: ['CAN-04', 'RPC-11', 'RPC-12'],
    defect: 'After a cancellation at the wrong moment, no tool can be called.',
    mutation: diesOfTheRace,
  }),
  defineMutant({
    name: 'wrong-request-cancelled',
    kills: 'CAN-04',
    defect: 'A cancellation hits another request.',
    mutation: wrongOne,
  }),
  defineMutant({
    name: 'initialize-can-be-cancelled',
    kills: 'CAN-05',
    defect: 'initialize is not answered when it is cancelled.',
    mutation: forgetsInitialize,
  }),
  defineMutant({
    name: 'cancelled-calls-keep-their-place',
    kills: 'CAN-06',
    alsoKills: ['CAN-03', 'CAN-04', 'RPC-11', 'RPC-12'],
    defect: 'After twenty cancelled calls, nothing is served.',
    mutation: leaks,
  }),
  defineMutant({
    name: 'progress-after-cancellation',
    kills: 'CAN-07',
    alsoKills: ['CAN-03', 'CAN-04'],
    defect: 'A cancelled call goes on and reports its progress; only its answer is not sent.',
    mutation: reportsOn,
  }),
];
