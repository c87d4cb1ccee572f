import { isObject, type JsonObject } from '../json-rpc/message.js';
import { changeResult, defineMutant, metaOf, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';

const PLAIN = new Set<unknown>(['ping', 'server/discover']);
const isUnknown = (request: JsonObject | undefined): boolean => String(request?.['method']).startsWith('plugboard/');
const refusal = (id: unknown, code: number, message: string): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Changes the error by which unknown methods are refused. */
const unknownMethodError =
  (change: (error: JsonObject) => JsonObject): NonNullable<Mutation['toClient']> =>
  (message, { request }) =>
    isUnknown(request) && isObject(message['error']) ? { ...message, error: change(message['error']) } : message;

export const jsonRpcMutants: readonly Mutant[] = [
  defineMutant({
    name: 'message-without-jsonrpc',
    kills: 'RPC-01',
    alsoKills: ['STD-01'],
    defect: 'Refusals of unknown methods say jsonrpc "1.0".',
    mutation: { toClient: (message, { request }) => (isUnknown(request) ? { ...message, jsonrpc: '1.0' } : message) },
  }),
  defineMutant({
    name: 'number-comes-back-as-text',
    kills: 'RPC-02',
    defect: 'A number as id comes back as a string.',
    mutation: {
      toClient: (message) =>
        typeof message['id'] === 'number' && !('method' in message)
          ? { ...message, id: String(message['id']) }
          : message,
    },
  }),
  defineMutant({
    name: 'result-and-error',
    kills: 'RPC-03',
    defect: 'A result is accompanied by an error that is null.',
    mutation: {
      toClient: (message, { request }) =>
        PLAIN.has(request?.['method']) && 'result' in message ? { ...message, error: null } : message,
    },
  }),
  defineMutant({
    name: 'answers-twice',
    kills: 'RPC-03',
    defect: 'Refusals of unknown methods are sent twice.',
    transports: ['stdio', 'sse'],
    mutation: {
      toClient: (message, { request }) => (isUnknown(request) ? [message, message] : message),
    },
  }),
  defineMutant({
    name: 'answers-notifications',
    kills: 'RPC-04',
    alsoKills: ['HTP-02'],
    defect: 'An unknown notification is answered with an error.',
    mutation: {
      answer: (message) =>
        String(message['method']).startsWith('notifications/plugboard/')
          ? refusal(null, -32_601, 'Method not found')
          : undefined,
    },
  }),
  defineMutant({
    name: 'parse-error-has-another-code',
    kills: 'RPC-05',
    defect: 'Unreadable text is answered with -32603.',
    mutation: {
      toClient: (message) =>
        isObject(message['error']) && message['error']['code'] === -32_700
          ? refusal(message['id'], -32_603, 'Internal error')
          : message,
    },
  }),
  defineMutant({
    name: 'invalid-request-is-a-parse-error',
    kills: 'RPC-06',
    defect: 'JSON that is no request is answered with -32700.',
    mutation: {
      toClient: (message) =>
        isObject(message['error']) && message['error']['code'] === -32_600
          ? refusal(message['id'], -32_700, 'Parse error')
          : message,
    },
  }),
  defineMutant({
    name: 'null-is-an-id',
    kills: 'RPC-07',
    defect: 'A request with the id null is served.',
    mutation: {
      answer: (message) =>
        message['id'] === null && 'method' in message ? { jsonrpc: '2.0', id: null, result: {} } : undefined,
    },
  }),
  defineMutant({
    name: 'strange-id-is-a-parse-error',
    kills: 'RPC-07',
    defect: 'A request whose id is null or a fraction is answered with -32700, as if it were no JSON.',
    mutation: {
      answer: (message) =>
        'method' in message && (message['id'] === null || message['id'] === 1.5)
          ? refusal(null, -32_700, 'Parse error')
          : undefined,
    },
  }),
  defineMutant({
    name: 'params-may-be-a-list',
    kills: 'RPC-08',
    defect: 'A request with an array as params is served.',
    mutation: {
      answer: (message) =>
        Array.isArray(message['params']) ? { jsonrpc: '2.0', id: message['id'], result: {} } : undefined,
    },
  }),
  defineMutant({
    name: 'unknown-method-is-an-internal-error',
    kills: 'RPC-09',
    defect: 'An unknown method is refused with -32603.',
    mutation: { toClient: unknownMethodError(() => ({ code: -32_603, message: 'Internal error' })) },
  }),
  defineMutant({
    name: 'unknown-method-is-found',
    kills: 'RPC-09',
    defect: 'In the modern era an unknown method is refused with the status 200.',
    eras: ['modern'],
    transports: ['streamable-http'],
    mutation: {
      http: {
        response: (answered, { body }) =>
          answered.status === 404 && body.includes('"plugboard/') ? { ...answered, status: 200 } : answered,
      },
    },
  }),
  defineMutant({
    name: 'no-batches',
    kills: 'RPC-10',
    alsoKills: ['STD-03'],
    defect: 'Batches are refused although 2025-03-26 was agreed on.',
    eras: ['legacy'],
    mutation: {
      process: {
        input: (chunk) =>
          Buffer.from(
            Buffer.from(chunk)
              .toString('utf8')
              .replace(/^\[.*$/mu, '[]'),
          ),
      },
      http: { request: (asked) => (asked.body.startsWith('[') ? { ...asked, body: '[]' } : asked) },
    },
  }),
  defineMutant({
    name: 'batches-dropped',
    kills: 'RPC-21',
    alsoKills: ['RPC-10', 'STD-03'],
    defect: 'A batch is dropped without an answer.',
    transports: ['stdio', 'sse'],
    mutation: {
      process: {
        input: (chunk) =>
          Buffer.from(
            Buffer.from(chunk)
              .toString('utf8')
              .replaceAll(/^\[.*$/gmu, ''),
          ),
      },
      http: { answer: ({ body }) => (body.startsWith('[') ? { status: 202, headers: {} } : undefined) },
    },
  }),
  defineMutant({
    name: 'batches-served-in-every-revision',
    kills: 'RPC-21',
    defect: 'A batch is served although the revision has none.',
    transports: ['streamable-http'],
    mutation: {
      http: {
        answer: ({ body }) => {
          if (!body.startsWith('[')) return undefined;
          const answers = (JSON.parse(body) as JsonObject[]).map(({ id }) => ({ jsonrpc: '2.0', id, result: {} }));
          return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answers) };
        },
      },
    },
  }),
  defineMutant({
    name: 'error-code-is-text',
    kills: 'RPC-11',
    alsoKills: ['RPC-09'],
    defect: 'The code of an error is a string.',
    mutation: { toClient: unknownMethodError((error) => ({ ...error, code: String(error['code']) })) },
  }),
  defineMutant({
    name: 'error-code-of-another-era',
    kills: 'RPC-12',
    alsoKills: ['RPC-09'],
    defect: 'An error of the modern era has a code that is reserved and not defined.',
    mutation: {
      toClient: (message, { request }) =>
        isUnknown(request) && 'error' in message && Object.keys(metaOf(request)).length > 0
          ? refusal(message['id'], -32_050, 'No such method')
          : message,
    },
  }),
  defineMutant({
    name: 'answers-are-mixed-up',
    kills: 'RPC-14',
    defect: 'Under load a request now and then gets the answer to another one.',
    mutation: {
      toClient: (message, { request }) =>
        isUnknown(request) && /^at-once-\d*7$/u.test(String(message['id']))
          ? { jsonrpc: '2.0', id: message['id'], result: {} }
          : message,
    },
  }),
  defineMutant({
    name: 'extra-member-is-refused',
    kills: 'RPC-15',
    defect: 'A request with a member that it does not know is refused.',
    mutation: {
      answer: (message) =>
        'x-plugboard' in message ? refusal(message['id'], -32_600, 'Unrecognised member') : undefined,
    },
  }),
  defineMutant({
    name: 'meta-key-without-grammar',
    kills: 'RPC-17',
    defect: 'A key of _meta has a prefix that is no series of labels.',
    mutation: {
      toClient: (message, { request }) =>
        PLAIN.has(request?.['method']) && isObject(message['result'])
          ? {
              ...message,
              result: {
                ...message['result'],
                _meta: {
                  ...(isObject(message['result']['_meta']) ? message['result']['_meta'] : {}),
                  '-example-/x': 1,
                },
              },
            }
          : message,
    },
  }),
  defineMutant({
    name: 'server-asks-by-itself',
    kills: 'RPC-19',
    defect: 'During a call in the modern era, the server sends a request.',
    mutation: {
      options: (options) => ({ ...options, answers: 'sse' }),
      toClient: (message, { request }) =>
        request?.['method'] === 'tools/call' && 'result' in message && Object.keys(metaOf(request)).length > 0
          ? [{ jsonrpc: '2.0', id: 'server-1', method: 'roots/list' }, message]
          : message,
    },
  }),
  defineMutant({
    name: 'trace-context-is-malformed',
    kills: 'RPC-20',
    defect: 'The server sends a traceparent that is none.',
    mutation: {
      toClient: changeResult('server/discover', (result) => ({
        ...result,
        _meta: { ...(isObject(result['_meta']) ? result['_meta'] : {}), traceparent: 'request-17' },
      })),
    },
  }),
];
