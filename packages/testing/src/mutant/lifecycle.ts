import { META } from '../json-rpc/meta-key.js';
import { isObject } from '../json-rpc/message.js';
import { parseObject } from './mutation/filter.js';
import { changeError, changeResult, defineMutant, metaOf, replaceResult, without, type Mutant } from './mutant.js';

const OTHER: Readonly<Record<string, string>> = { '2025-11-25': '2025-06-18' };

export const lifecycleMutants: readonly Mutant[] = [
  defineMutant({
    name: 'initialize-without-server-info',
    kills: 'LIF-01',
    defect: 'The answer to initialize lacks serverInfo.',
    mutation: { toClient: changeResult('initialize', (result) => without(result, 'serverInfo')) },
  }),
  defineMutant({
    name: 'initialize-never-agrees',
    kills: 'LIF-02',
    defect: 'If the newest revision is requested, it answers with an older one, and the other way round.',
    mutation: {
      toClient: changeResult('initialize', (result, { request }) => {
        const asked = isObject(request?.['params']) ? String(request['params']['protocolVersion']) : '';
        return { ...result, protocolVersion: OTHER[asked] ?? (asked === '1999-01-01' ? '2025-06-18' : '2025-11-25') };
      }),
    },
  }),
  defineMutant({
    name: 'initialize-echoes-any-version',
    kills: 'LIF-03',
    defect: 'The server agrees to any requested revision.',
    mutation: {
      toClient: changeResult('initialize', (result, { request }) => ({
        ...result,
        protocolVersion: isObject(request?.['params']) ? request['params']['protocolVersion'] : '',
      })),
    },
  }),
  defineMutant({
    name: 'initialize-invents-a-version',
    kills: 'LIF-04',
    defect: 'For 2024-11-05 it answers with an unpublished revision.',
    mutation: {
      toClient: changeResult('initialize', (result) =>
        result['protocolVersion'] === '2024-11-05' ? { ...result, protocolVersion: '2024-12-01' } : result,
      ),
    },
  }),
  defineMutant({
    name: 'discover-without-capabilities',
    kills: 'LIF-13',
    defect: 'The answer to server/discover lacks capabilities.',
    mutation: { toClient: changeResult('server/discover', (result) => without(result, 'capabilities')) },
  }),
  defineMutant({
    name: 'unsupported-version-without-list',
    kills: 'LIF-16',
    defect: 'The refusal of a version does not say which ones are supported.',
    mutation: { toClient: changeError(-32_022, (error) => without(error, 'data')) },
  }),
  defineMutant({
    name: 'initialized-is-answered',
    kills: 'LIF-05',
    alsoKills: ['RPC-03', 'RPC-04', 'HTP-02', 'RPC-07'],
    defect: 'notifications/initialized gets a reply.',
    mutation: {
      answer: (message) =>
        message['method'] === 'notifications/initialized' ? { jsonrpc: '2.0', id: null, result: {} } : undefined,
    },
  }),
  defineMutant({
    name: 'second-initialize-kills',
    kills: 'LIF-06',
    defect: 'A second initialize on a session is never answered properly.',
    mutation: {
      // A client counts its requests from 1, so a later number is a second attempt.
      toClient: (message, { request }) =>
        request?.['method'] === 'initialize' && Number(request['id']) > 1
          ? { jsonrpc: '2.0', id: message['id'] }
          : message,
    },
  }),
  defineMutant({
    name: 'early-request-is-ignored',
    kills: 'LIF-07',
    defect: 'A request before initialize is never answered.',
    transports: ['stdio', 'sse'],
    mutation: {
      toClient: (message) =>
        isObject(message['error']) && String(message['error']['message']).includes('not initialised')
          ? undefined
          : message,
    },
  }),
  defineMutant({
    name: 'incomplete-initialize-is-an-internal-error',
    kills: 'LIF-08',
    defect: 'initialize without a member comes back with -32603.',
    mutation: {
      toClient: (message, { request }) =>
        request?.['method'] === 'initialize' && isObject(message['error'])
          ? { ...message, error: { code: -32_603, message: 'Internal error' } }
          : message,
    },
  }),
  defineMutant({
    name: 'unknown-metadata-is-refused',
    kills: 'LIF-09',
    defect: 'A key of _meta that it does not know is refused.',
    mutation: {
      toClient: (message, { request }) =>
        'com.example/unknown' in metaOf(request) && !('method' in message)
          ? { jsonrpc: '2.0', id: message['id'], error: { code: -32_602, message: 'Unknown metadata' } }
          : message,
    },
  }),
  defineMutant({
    name: 'declared-list-is-missing',
    kills: 'LIF-10',
    alsoKills: ['PRM-01'],
    defect: 'prompts is declared, and prompts/list is an unknown method.',
    mutation: { toClient: replaceResult('prompts/list', { code: -32_601, message: 'Method not found' }) },
  }),
  defineMutant({
    name: 'undeclared-method-is-an-internal-error',
    kills: 'LIF-11',
    defect: 'Methods of capabilities that it lacks come back with -32603.',
    mutation: {
      toClient: (message, { request }) =>
        /^tasks\/(?:list|get)$/u.test(String(request?.['method'])) && isObject(message['error'])
          ? { ...message, error: { code: -32_603, message: 'Internal error' } }
          : message,
    },
    alsoKills: ['LIF-24'],
  }),
  defineMutant({
    name: 'version-is-empty',
    kills: 'LIF-12',
    defect: 'The version of the server is empty.',
    mutation: { options: (options) => ({ ...options, version: '' }) },
  }),
  defineMutant({
    name: 'discover-without-identity',
    kills: 'LIF-14',
    defect: 'Results carry no serverInfo.',
    mutation: { toClient: changeResult('server/discover', (result) => without(result, '_meta')) },
  }),
  defineMutant({
    name: 'discover-changes-its-mind',
    kills: 'LIF-15',
    defect: 'server/discover returns something different each time, although it announces that it may be cached.',
    mutation: () => {
      let times = 0;
      return {
        toClient: changeResult('server/discover', (result) => {
          times += 1;
          return { ...result, instructions: `Answer number ${times}.` };
        }),
      };
    },
  }),
  defineMutant({
    name: 'client-capabilities-are-optional',
    kills: 'LIF-17',
    defect: 'A request without clientCapabilities is served.',
    mutation: {
      toServer: (message) => {
        const meta = metaOf(message);
        if (!(META.protocolVersion in meta) || META.clientCapabilities in meta || !isObject(message['params'])) {
          return message;
        }
        return { ...message, params: { ...message['params'], _meta: { ...meta, [META.clientCapabilities]: {} } } };
      },
    },
  }),
  defineMutant({
    name: 'client-info-is-required',
    kills: 'LIF-18',
    defect: 'A request without clientInfo is refused.',
    mutation: {
      toClient: (message, { request }) => {
        const meta = metaOf(request);
        return META.protocolVersion in meta && !(META.clientInfo in meta) && !('method' in message)
          ? { jsonrpc: '2.0', id: message['id'], error: { code: -32_602, message: 'clientInfo is required' } }
          : message;
      },
    },
  }),
  defineMutant({
    name: 'strangers-must-discover-first',
    kills: 'LIF-19',
    defect: 'A client that has not sent server/discover before is refused.',
    mutation: () => {
      const known = new Set<unknown>();
      return {
        toClient: (message, { request }) => {
          const info = metaOf(request)[META.clientInfo];
          const name = isObject(info) ? info['name'] : undefined;
          if (request?.['method'] === 'server/discover') known.add(name);
          if (name === undefined || known.has(name) || 'method' in message) return message;
          return { jsonrpc: '2.0', id: message['id'], error: { code: -32_600, message: 'Discover first' } };
        },
      };
    },
  }),
  defineMutant({
    name: 'modern-server-does-not-name-its-versions',
    kills: 'LIF-20',
    defect: 'A modern server rejects initialize without naming versions.',
    mutation: {
      options: (options) => ({ ...options, eras: 'modern' }),
      toClient: (message, { request }) =>
        request?.['method'] === 'initialize'
          ? { jsonrpc: '2.0', id: message['id'], error: { code: -32_601, message: 'Method not found' } }
          : message,
    },
  }),
  defineMutant({
    name: 'modern-request-ends-the-legacy-session',
    kills: 'LIF-21',
    defect: 'A modern request of a client ends the legacy session of the same client.',
    mutation: () => {
      const lost = new Set<unknown>();
      const sessions = new Map<unknown, unknown>();
      const nameIn = (info: unknown): unknown => (isObject(info) ? info['name'] : undefined);
      return {
        http: {
          answer: ({ headers, body }) => {
            const message = parseObject(body);
            const name = nameIn(metaOf(message)[META.clientInfo]);
            if (name === 'plugboard-two-eras') lost.add(name);
            const id = headers['mcp-session-id'];
            return id !== undefined && lost.has(sessions.get(id)) ? { status: 404, headers: {} } : undefined;
          },
          response: (answered, { body }) => {
            const message = parseObject(body);
            const id = answered.headers['mcp-session-id'];
            const params = isObject(message?.['params']) ? message['params'] : {};
            if (id !== undefined && message?.['method'] === 'initialize') {
              sessions.set(id, nameIn(params['clientInfo']));
            }
            return answered;
          },
        },
      };
    },
  }),
  defineMutant({
    name: 'legacy-answer-has-a-time-to-live',
    kills: 'LIF-22',
    defect: 'A list carries ttlMs in the legacy era.',
    mutation: { toClient: changeResult('tools/list', (result) => ({ ttlMs: 1_000, ...result })) },
  }),
  defineMutant({
    name: 'legacy-era-has-fewer-prompts',
    kills: 'LIF-23',
    defect: 'The legacy era lacks the descriptions of prompts.',
    transports: ['stdio', 'streamable-http'],
    mutation: {
      toClient: changeResult('prompts/list', (result, { request }) =>
        META.protocolVersion in metaOf(request) || !Array.isArray(result['prompts'])
          ? result
          : { ...result, prompts: result['prompts'].filter(isObject).map((prompt) => without(prompt, 'description')) },
      ),
    },
  }),
  defineMutant({
    name: 'ping-survives-its-removal',
    kills: 'LIF-24',
    defect: 'ping is answered in the modern era.',
    mutation: {
      answer: (message) =>
        message['method'] === 'ping' && META.protocolVersion in metaOf(message)
          ? { jsonrpc: '2.0', id: message['id'], result: { resultType: 'complete' } }
          : undefined,
    },
  }),
  defineMutant({
    name: 'missing-capability-is-not-named',
    kills: 'LIF-25',
    alsoKills: ['S2C-01'],
    defect: 'The error about a missing capability does not name it.',
    mutation: { toClient: changeError(-32_021, (error) => without(error, 'data')) },
  }),
  defineMutant({
    name: 'extension-without-prefix',
    kills: 'LIF-26',
    defect: 'An extension is declared under a name without a prefix.',
    mutation: {
      toClient: changeResult('server/discover', (result) => ({
        ...result,
        capabilities: { ...(isObject(result['capabilities']) ? result['capabilities'] : {}), extensions: { apps: {} } },
      })),
    },
  }),
  defineMutant({
    name: 'ping-answers-pong',
    kills: 'LIF-27',
    defect: 'The answer to ping is not empty.',
    mutation: { toClient: changeResult('ping', () => ({ pong: true })) },
  }),
  defineMutant({
    name: 'slow-start',
    kills: 'LIF-28',
    defect: 'The first answer takes longer than the budget.',
    target: { budgets: { coldStartMs: 20 } },
    mutation: {
      options: (options) => ({
        ...options,
        script: [
          { on: 'initialize', fault: { delayMs: 60 } },
          { on: 'server/discover', fault: { delayMs: 60 } },
        ],
      }),
    },
  }),
  defineMutant({
    name: 'dies-of-a-ping',
    kills: 'LIF-29',
    // They ping a process of their own.
    alsoKills: ['RPC-11', 'RPC-17', 'STD-03', 'STD-04', 'STD-05'],
    eras: ['legacy'],
    defect: 'The process ends when it is pinged.',
    mutation: { dies: ({ method }) => method === 'ping' },
  }),
];
