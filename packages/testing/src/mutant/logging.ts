import { isObject, type JsonObject } from '../json-rpc/message.js';
import { defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { eraOf, paramsOf } from './params.js';

const LOG = 'notifications/message';

const changeLog =
  (change: (params: JsonObject) => JsonObject): NonNullable<Mutation['toClient']> =>
  (message) =>
    message['method'] === LOG ? { ...message, params: change(paramsOf(message)) } : message;

const withoutLevel = (message: JsonObject): JsonObject => {
  const params = paramsOf(message);
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const wanted = Object.keys(meta).find((key) => key.endsWith('/logLevel'));
  if (wanted === undefined || meta[wanted] !== 'emergency') return message;
  return { ...message, params: { ...params, _meta: { ...meta, [wanted]: 'debug' } } };
};

export const loggingMutants: readonly Mutant[] = [
  defineMutant({
    name: 'log-level-of-any-name',
    kills: 'LOG-01',
    defect: 'Any word is accepted as a log level.',
    mutation: {
      toServer: (message) =>
        message['method'] === 'logging/setLevel' && paramsOf(message)['level'] === 'loud'
          ? { ...message, params: { level: 'debug' } }
          : message,
    },
  }),
  defineMutant({
    name: 'log-level-ignored',
    kills: 'LOG-02',
    alsoKills: ['LIF-24'],
    defect: 'Everything is logged, whatever level was asked for.',
    mutation: {
      toServer: (message) =>
        message['method'] === 'logging/setLevel' ? { ...message, params: { level: 'debug' } } : withoutLevel(message),
    },
  }),
  defineMutant({
    name: 'log-without-being-asked',
    kills: 'LOG-03',
    eras: ['modern'],
    defect: 'Messages are logged for requests that did not ask for them.',
    mutation: {
      toClient: (message, { request, transport }) => {
        const called = isObject(message['result']) && request?.['method'] === 'tools/call';
        const asked = JSON.stringify(paramsOf(request)['_meta'] ?? {}).includes('/logLevel');
        if (!called || asked || eraOf(request) === 'legacy' || transport !== 'stdio') return message;
        return [{ jsonrpc: '2.0', method: LOG, params: { level: 'info', data: 'unasked' } }, message];
      },
    },
    transports: ['stdio'],
  }),
  defineMutant({
    name: 'log-of-unknown-level',
    kills: 'LOG-04',
    alsoKills: ['RPC-01'],
    defect: 'Messages have a level that does not exist.',
    mutation: { toClient: changeLog((params) => ({ ...params, level: 'loud' })) },
  }),
  defineMutant({
    name: 'log-with-a-password',
    kills: 'LOG-05',
    defect: 'A message contains the address of a database with its password.',
    mutation: {
      toClient: changeLog((params) => ({ ...params, data: 'connected to postgres://admin:hunter2secret@db/main' })),
    },
  }),
  defineMutant({
    name: 'log-flood',
    kills: 'LOG-06',
    defect: 'One call logs three hundred messages.',
    mutation: {
      toClient: (message) => (message['method'] === LOG ? Array.from({ length: 300 }, () => message) : message),
    },
  }),
];
