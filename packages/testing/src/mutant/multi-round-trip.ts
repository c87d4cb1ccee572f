import { isObject, type JsonObject } from '../json-rpc/message.js';
import { changeTool } from './change-options.js';
import { defineMutant, without, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { errorFor, paramsOf } from './params.js';

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

const isRetry = (message: JsonObject): boolean => 'inputResponses' in paramsOf(message);

const changeInterim =
  (change: (result: JsonObject) => JsonObject): NonNullable<Mutation['toClient']> =>
  (message) =>
    isObject(message['result']) && message['result']['resultType'] === 'input_required'
      ? { ...message, result: change(message['result']) }
      : message;

const clientOf = (message: JsonObject): unknown => {
  const meta = paramsOf(message)['_meta'];
  return isObject(meta) ? JSON.stringify(meta['io.modelcontextprotocol/clientInfo']) : undefined;
};

/** Remembers in memory which connection asked, and serves the repeated request only there. */
const bound = (): Mutation => {
  const seen = new Set<unknown>();
  return {
    answer: (message) => {
      if (message['method'] !== 'tools/call') return undefined;
      if (!isRetry(message)) seen.add(clientOf(message));
      return isRetry(message) && !seen.has(clientOf(message))
        ? errorFor(message, -32_602, 'Unknown connection')
        : undefined;
    },
  };
};

export const multiRoundTripMutants: readonly Mutant[] = [
  defineMutant({
    name: 'input-required-without-a-word',
    kills: 'MRT-01',
    alsoKills: ['MRT-02', 'MRT-08', 'S2C-02', 'S2C-03', 'S2C-05', 'S2C-08', 'S2C-09', 'S2C-06'],
    defect: 'input_required contains neither requests nor a state.',
    mutation: { toClient: changeInterim((result) => without(result, 'inputRequests', 'requestState')) },
  }),
  defineMutant({
    name: 'list-asks-for-input',
    kills: 'MRT-01',
    defect: 'tools/list is answered with input_required when the client can answer questions.',
    mutation: {
      toClient: (message, { request }) => {
        const meta = paramsOf(request)['_meta'];
        const able = isObject(meta) && isObject(meta[CLIENT_CAPABILITIES]) && 'sampling' in meta[CLIENT_CAPABILITIES];
        if (!able || request?.['method'] !== 'tools/list' || !isObject(message['result'])) return message;
        const inputRequests = { roots: { method: 'roots/list', params: {} } };
        return { ...message, result: { resultType: 'input_required', inputRequests } };
      },
    },
  }),
  defineMutant({
    name: 'retry-refused',
    kills: 'MRT-02',
    alsoKills: ['MRT-03', 'MRT-08'],
    defect: 'The repeated request is refused.',
    mutation: {
      answer: (message) => (isRetry(message) ? errorFor(message, -32_602, 'Unexpected inputResponses') : undefined),
    },
  }),
  defineMutant({
    name: 'state-not-verified',
    kills: 'MRT-03',
    defect: 'Any requestState is accepted.',
    mutation: {
      toServer: (message) =>
        isRetry(message) ? { ...message, params: without(paramsOf(message), 'requestState') } : message,
    },
  }),
  defineMutant({
    name: 'missing-answer-is-an-error',
    kills: 'MRT-05',
    defect: 'A repeated request without the answers is refused.',
    mutation: {
      answer: (message) => {
        const responses = paramsOf(message)['inputResponses'];
        const only = isObject(responses) ? Object.keys(responses).join() : '';
        return only === 'surely-unknown' ? errorFor(message, -32_602, 'Missing answer') : undefined;
      },
    },
  }),
  defineMutant({
    name: 'state-with-a-password',
    kills: 'MRT-06',
    defect: 'The state contains the address of a database with its password.',
    mutation: {
      toServer: (message) =>
        isRetry(message)
          ? {
              ...message,
              params: { ...paramsOf(message), requestState: String(paramsOf(message)['requestState']).split('!')[0] },
            }
          : message,
      toClient: changeInterim((result) => ({
        ...result,
        requestState: `${String(result['requestState'])}!postgres://admin:hunter2secret@db/main`,
      })),
    },
  }),
  defineMutant({
    name: 'asks-for-ever',
    kills: 'MRT-07',
    alsoKills: ['MRT-02'],
    defect: 'A tool asks again and again.',
    mutation: {
      options: changeTool('elicit', {
        handler: async (_args, call) => {
          const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
          for (let round = 1; round < 100; round += 1) {
            const params = { mode: 'form', message: 'And now?', requestedSchema };
            const answers = await call.ask({ [`round-${round}`]: { method: 'elicitation/create', params } });
            if (answers[`round-${round}`]?.['action'] !== 'accept') break;
          }
          return 'done';
        },
      }),
    },
  }),
  defineMutant({
    name: 'retry-bound-to-its-connection',
    kills: 'MRT-08',
    defect: 'The repeated request is served only to the client that asked first.',
    mutation: bound,
  }),
];
