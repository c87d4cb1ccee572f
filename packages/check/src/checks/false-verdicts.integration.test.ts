import type { CheckResult, CheckTransport } from '@plugboard/contract';
import { MutantServer, type Mutation } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { runCell } from '../test-support/cell.js';
import type { CheckTargetInput } from '../target/target.js';
import { CHECKS } from './registry.js';

// Servers that real ones were taken for violating a MUST, and did not. Each is the reference with the oddity.

const error = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } });

const metaVersion = (message: unknown): unknown =>
  (message as { params?: { _meta?: Record<string, unknown> } } | undefined)?.params?._meta?.[
    'io.modelcontextprotocol/protocolVersion'
  ];

/** The method never works: what is behind it is down. */
const always = (method: string, code = -32_603): Mutation => ({
  answer: (message) => (message['method'] === method ? error(message['id'], code, 'The backend is down') : undefined),
});

const LEGACY_ONLY = ['2025-11-25', '2025-06-18'];

/** An SDK that knows the modern era, in a server that has not turned it on. */
const legacyAtHeart: Mutation = {
  answer: (message) => {
    const requested = metaVersion(message);
    if (requested === undefined || message['method'] === 'server/discover') return undefined;
    const data = { supported: LEGACY_ONLY, requested };
    return { jsonrpc: '2.0', id: message['id'], error: { code: -32_022, message: 'Unsupported', data } };
  },
  toClient: (message) => {
    const { result } = message as { result?: { supportedVersions?: unknown } };
    return result?.supportedVersions === undefined
      ? message
      : { ...message, result: { ...result, supportedVersions: LEGACY_ONLY } };
  },
};

/** Answers no list any more once so many requests have failed, in each process. */
const givingUp = (most: number): Mutation => ({
  process: () => {
    let failures = 0;
    return {
      line: (text, message) => {
        if (message !== undefined && 'error' in message) failures += 1;
        const isList = text.includes('"resources":[');
        const isRefused = isList && failures >= most && !text.includes('"capabilities"');
        return `${isRefused ? JSON.stringify(error(message?.['id'], -32_603, 'Unavailable due to previous failures')) : text}\n`;
      },
    };
  },
});

/** What the second user sends with a state of the first one is asked anew, as if there were no state. */
const askingAnew = (): Mutation => {
  let owner: string | undefined;
  return {
    protection: { sharesHandles: 'state' },
    http: {
      answer: ({ body, headers }) => {
        if (!body.includes('"tools/call"')) return undefined;
        owner ??= headers['authorization'];
        if (!body.includes('"requestState"') || headers['authorization'] === owner) return undefined;
        const { id } = JSON.parse(body) as { id: unknown };
        const inputRequests = { name: { method: 'elicitation/create', params: { mode: 'form', message: 'Name?' } } };
        const result = { resultType: 'input_required', inputRequests, requestState: 'another' };
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id, result }),
        };
      },
    },
  };
};

interface Case {
  readonly what: string;
  readonly ids: readonly string[];
  /** Found rightly on this server. */
  readonly rightly?: readonly string[];
  readonly transports: readonly CheckTransport[];
  readonly mutation: Mutation;
  readonly target?: CheckTargetInput;
}

const OPENING = new Set<unknown>(['initialize', 'server/discover']);

/** Answers the requests after the opening with an internal error, when their number says so. */
const failing = (isBad: (count: number) => boolean): Mutation => {
  let count = 0;
  return {
    answer: ({ id, method }) => {
      if (id === undefined || OPENING.has(method) || !isBad((count += 1))) return undefined;
      return { jsonrpc: '2.0', id, error: { code: -32_603, message: 'The backend is down' } };
    },
  };
};

/** Tools that may be called so many times, by all clients together. */
const limited = (most: number): Mutation => {
  let count = 0;
  return {
    answer: ({ id, method }) => {
      if (method !== 'tools/call' || (count += 1) <= most) return undefined;
      return { jsonrpc: '2.0', id, error: { code: -32_000, message: 'Rate limit exceeded' } };
    },
  };
};

const asking = (again: (content: unknown) => boolean): Mutation => ({
  options: (options) => ({
    ...options,
    tools: [
      {
        name: 'confirm',
        description: 'Asks until it is content.',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
        handler: async (_args, call) => {
          const requestedSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
          const answer = await call.elicit({ mode: 'form', message: 'Go on?', requestedSchema });
          if (again(answer['content'])) await call.elicit({ mode: 'form', message: 'Really?', requestedSchema });
          return 'done';
        },
      },
    ],
  }),
});

const paramsOf = (message: unknown): object => (message as { params?: object } | undefined)?.params ?? {};

const down = <T extends object>(answered: T): T & { status: number; body: string } => ({
  ...answered,
  status: 500,
  body: 'Down',
});

/** Every second answer has a message more, whatever was asked. */
const sometimesLonger: Mutation = (() => {
  let count = 0;
  return {
    toClient: (message, { request }) => {
      const { result } = message as { result?: { messages?: readonly unknown[] } };
      if (request?.['method'] !== 'prompts/get' || result?.messages === undefined) return message;
      count += 1;
      if (count % 3 !== 0) return message;
      const more = { role: 'assistant', content: { type: 'text', text: 'A hint.' } };
      return { ...message, result: { ...result, messages: [...result.messages, more] } };
    },
  } satisfies Mutation;
})();

const form = (properties: object): Mutation => ({
  options: (options) => ({
    ...options,
    tools: [
      {
        name: 'confirm',
        description: 'Asks with a form.',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
        handler: async (_args, call) => {
          await call.elicit({ mode: 'form', message: 'How?', requestedSchema: { type: 'object', properties } });
          return 'done';
        },
      },
    ],
  }),
});

/** One id for all sessions; whatever the client sends reaches the newest. */
const sameSessionId = (): Mutation => {
  let newest: string | undefined;
  return {
    http: {
      response: (answered) => {
        newest = answered.headers['mcp-session-id'] ?? newest;
        if (answered.headers['mcp-session-id'] === undefined) return answered;
        return { ...answered, headers: { ...answered.headers, 'mcp-session-id': 'the-one-session-of-this-server' } };
      },
      request: (asked) =>
        asked.headers['mcp-session-id'] === undefined || newest === undefined
          ? asked
          : { ...asked, headers: { ...asked.headers, 'mcp-session-id': newest } },
    },
  };
};

const refusedWithPage = (isRefused: (body: string) => boolean, status = 400): Mutation => ({
  http: {
    answer: ({ body }) =>
      isRefused(body) ? { status, headers: { 'content-type': 'text/plain' }, body: 'Not here.' } : undefined,
  },
});

/** Refuses requests by how many came, and how long ago the one before the last fifteen did. */
const overloaded = (isTooMuch: (count: number, sinceMs: number) => boolean, status: number): Mutation => {
  const times: number[] = [];
  return {
    http: {
      answer: ({ method }) => {
        if (method !== 'POST') return undefined;
        const now = performance.now();
        const count = times.push(now);
        if (!isTooMuch(count, now - (times.at(-15) ?? 0))) return undefined;
        return { status, headers: { 'content-type': 'text/plain' }, body: 'Slow down.' };
      },
    },
  };
};

const metaOf = (message: unknown): object => (paramsOf(message) as { _meta?: object })._meta ?? {};

const CASES: readonly Case[] = [
  {
    what: 'gives all sessions one id',
    ids: ['HTP-14'],
    transports: ['streamable-http'],
    mutation: sameSessionId(),
  },
  {
    what: 'keeps its streams open with events of another type',
    ids: ['HTP-21', 'RPC-03'],
    transports: ['streamable-http'],
    mutation: {
      http: { event: (text, { method }) => (method === 'POST' ? `event: ping\ndata: 12:00\n\n${text}` : text) },
    },
  },
  {
    what: 'lists a resource twice',
    ids: ['RES-01'],
    transports: ['stdio', 'streamable-http'],
    mutation: {
      options: (options) => ({
        ...options,
        resources: [...(options.resources ?? []), { uri: 'test://greeting', name: 'again', text: 'Again' }],
      }),
    },
  },
  {
    what: 'reads URIs that are strange, and no worse',
    ids: ['RES-06', 'RES-02'],
    transports: ['stdio', 'streamable-http'],
    mutation: {
      answer: (message) => {
        const { uri } = paramsOf(message) as { uri?: string };
        if (message['method'] !== 'resources/read' || (uri !== 'file://' && uri !== 'test://%00')) return undefined;
        const result = { contents: [{ uri, text: 'x' }], resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
        return { jsonrpc: '2.0', id: message['id'], result };
      },
    },
  },
  {
    what: 'does not accept notifications',
    ids: ['LIF-05', 'HTP-02', 'RPC-04'],
    transports: ['streamable-http'],
    mutation: refusedWithPage((body) => body.includes('"notifications/')),
  },
  {
    what: 'refuses revisions that it does not know with a page',
    ids: ['LIF-02', 'LIF-03', 'LIF-04', 'RPC-10'],
    transports: ['streamable-http'],
    mutation: refusedWithPage((body) => body.includes('"initialize"') && !body.includes('2025-11-25')),
  },
  {
    what: 'states a smaller total than it completes',
    ids: ['CMP-01'],
    transports: ['stdio', 'streamable-http'],
    mutation: {
      toClient: (message, { request }) => {
        const { result } = message as { result?: { completion?: object } };
        return request?.['method'] === 'completion/complete' && result?.completion !== undefined
          ? { ...message, result: { ...result, completion: { ...result.completion, values: ['a', 'b'], total: 1 } } }
          : message;
      },
    },
  },
  {
    what: 'reports more progress than its total',
    ids: ['PRG-02'],
    transports: ['stdio', 'streamable-http'],
    mutation: {
      toClient: (message) =>
        message['method'] === 'notifications/progress'
          ? { ...message, params: { ...paramsOf(message), total: 0.5 } }
          : message,
    },
  },
  {
    what: 'asks the user to open an address with a random token, and one without TLS',
    ids: ['S2C-06'],
    transports: ['stdio', 'streamable-http'],
    mutation: {
      options: (options) => ({
        ...options,
        tools: [
          {
            name: 'confirm',
            description: 'Asks with an address.',
            inputSchema: { type: 'object', properties: {} },
            annotations: { readOnlyHint: true },
            handler: async (_args, call) => {
              const url = `http://confirm.example/?token=${crypto.randomUUID()}`;
              await call.elicit({ mode: 'url', message: 'Go on there.', url, elicitationId: crypto.randomUUID() });
              return 'done';
            },
          },
        ],
      }),
    },
    target: { tools: { confirm: {} } },
  },
  {
    what: 'refuses requests with metadata or extensions that it does not know',
    ids: ['RPC-20', 'LIF-26'],
    transports: ['stdio', 'streamable-http'],
    mutation: {
      answer: (message) =>
        /traceparent|com\.example\/unknown/u.test(JSON.stringify(metaOf(message)))
          ? error(message['id'], -32_602, 'Unknown metadata')
          : undefined,
    },
  },
  {
    what: 'stays silent when arguments are wrong',
    ids: ['TOL-09'],
    transports: ['stdio', 'streamable-http'],
    mutation: {
      toServer: (message) => {
        const { arguments: args } = paramsOf(message) as { arguments?: { text?: unknown } };
        return message['method'] === 'tools/call' && typeof args?.text !== 'string' ? undefined : message;
      },
    },
    target: { tools: { '*': { safe: false }, echo: {} }, budgets: { requestMs: 300 } },
  },
  {
    what: 'limits the rate of requests',
    ids: ['LIF-16', 'LIF-17', 'LIF-27', 'HTP-01', 'HTP-31', 'HTP-32', 'HTP-34', 'HTP-35', 'RPC-14'],
    transports: ['streamable-http'],
    mutation: overloaded((count, sinceMs) => count > 15 && sinceMs < 1_000, 429),
  },
  {
    what: 'is behind a gateway that gives up after forty requests',
    ids: ['LIF-16', 'LIF-17', 'LIF-19', 'LIF-27', 'HTP-01', 'HTP-16', 'HTP-31', 'HTP-32', 'HTP-34', 'HTP-35', 'RPC-14'],
    transports: ['streamable-http'],
    mutation: overloaded((count) => count > 40, 503),
  },
  {
    what: 'asks its client for a ping before each answer',
    ids: ['STD-03', 'STD-04', 'STD-05', 'RPC-02', 'RPC-03', 'CAN-03'],
    transports: ['stdio', 'sse'],
    mutation: {
      toClient: (message, { request }) =>
        'id' in message &&
        !('method' in message) &&
        request?.['method'] !== 'initialize' &&
        metaVersion(request) === undefined
          ? [{ jsonrpc: '2.0', id: `ping-${String(message['id'])}`, method: 'ping' }, message]
          : message,
    },
  },
  {
    what: 'begins each event with a comment',
    ids: ['SSE-01', 'SSE-03', 'SSE-07', 'LIF-01', 'HTP-21'],
    transports: ['sse', 'streamable-http'],
    mutation: { http: { event: (text) => `: still here\n\nretry: 1000\n\n${text}` } },
  },
  {
    what: 'logs that a password was changed',
    ids: ['LOG-05'],
    transports: ['stdio', 'streamable-http'],
    mutation: {
      toClient: (message) =>
        message['method'] === 'notifications/message'
          ? { ...message, params: { ...paramsOf(message), data: 'password: successfully changed' } }
          : message,
    },
  },
  {
    what: 'gives back the malformed URI that it was sent',
    ids: ['RES-06', 'RPC-01'],
    transports: ['streamable-http', 'stdio'],
    mutation: {
      toClient: (message, { request }) => {
        const { method, params } = (request ?? {}) as { method?: string; params?: { uri?: string } };
        return method === 'resources/read' && 'error' in message
          ? { ...message, error: { code: -32_602, message: 'No such resource', data: { uri: params?.uri } } }
          : message;
      },
    },
  },
  {
    what: 'reads any URI and names it as it was sent',
    ids: ['RPC-01', 'RES-06'],
    rightly: ['RES-06'],
    transports: ['streamable-http'],
    mutation: {
      answer: (message) => {
        const { method, params } = message as { method?: string; params?: { uri?: string } };
        if (method !== 'resources/read' || metaVersion(message) !== undefined) return undefined;
        return { jsonrpc: '2.0', id: message['id'], result: { contents: [{ uri: params?.uri, text: 'x' }] } };
      },
    },
  },
  {
    what: 'answers a request of an unknown revision in the shape of another one',
    // LIF-16 fails rightly; RPC-01 must not fail besides.
    ids: ['LIF-16', 'RPC-01'],
    rightly: ['LIF-16'],
    transports: ['streamable-http', 'stdio'],
    mutation: {
      answer: (message) =>
        metaVersion(message) === '1900-01-01'
          ? { jsonrpc: '2.0', id: message['id'], result: { tools: [] } }
          : undefined,
    },
  },
  {
    what: 'has tools that always come to an error',
    ids: ['CAN-03', 'CAN-04', 'RPC-13', 'TOL-20'],
    transports: ['stdio', 'streamable-http'],
    mutation: always('tools/call'),
  },
  {
    what: 'cannot list its tools',
    ids: ['RPC-14', 'LIF-19', 'LIF-10', 'LIF-16', 'TOL-01', 'LIF-17'],
    transports: ['stdio', 'streamable-http'],
    mutation: always('tools/list'),
  },
  {
    what: 'does not offer tools at all, although it says so',
    ids: ['RPC-14', 'LIF-19', 'LIF-16', 'LIF-17', 'S2C-03'],
    transports: ['streamable-http'],
    mutation: always('tools/list', -32_601),
  },
  {
    what: 'cannot list its resources',
    ids: ['RES-06', 'RES-02', 'LIF-10'],
    transports: ['stdio', 'streamable-http'],
    mutation: always('resources/list'),
  },
  {
    what: 'cannot read what it lists',
    ids: ['RES-02', 'RES-03'],
    transports: ['streamable-http'],
    mutation: always('resources/read'),
  },
  {
    what: 'looks at the version of the first request of a process only',
    ids: ['LIF-16'],
    transports: ['stdio'],
    mutation: {
      toServer: (message) => {
        // Each conversation counts its requests from 1.
        if (message['id'] === 1 || metaVersion(message) !== '1900-01-01') return message;
        const params = message['params'] as Record<string, unknown> | undefined;
        const meta = params?.['_meta'] as Record<string, unknown> | undefined;
        const repaired = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
        return { ...message, params: { ...params, _meta: repaired } };
      },
    },
  },
  {
    what: 'answers server/discover, lists legacy revisions only, and refuses every other modern request',
    ids: ['LIF-01', 'LIF-16', 'LIF-24', 'RES-03', 'RPC-03', 'SUB-01', 'TOL-01'],
    transports: ['stdio', 'streamable-http'],
    mutation: legacyAtHeart,
  },
  {
    what: 'writes log lines in JSON to stdout',
    ids: ['LIF-05', 'RPC-04', 'RPC-12', 'RPC-01'],
    transports: ['stdio'],
    mutation: {
      process: { line: (text) => `{"level":"error","error":"none","msg":"a log line","id":7}\n${text}\n` },
    },
  },
  {
    what: 'asks again unless the answer is yes',
    ids: ['MRT-02', 'S2C-03'],
    transports: ['streamable-http', 'stdio'],
    mutation: asking((content) => (content as { ok?: unknown } | undefined)?.ok !== true),
    target: { tools: { confirm: {} } },
  },
  {
    what: 'always asks a second question',
    ids: ['MRT-02', 'S2C-03'],
    transports: ['streamable-http'],
    mutation: asking(() => true),
    target: { tools: { confirm: {} } },
  },
  {
    what: 'refuses what it cannot do with a page instead of JSON',
    ids: ['S2C-03'],
    transports: ['streamable-http'],
    mutation: {
      http: {
        answer: ({ body }) =>
          body.includes('"elicit"') && body.includes('tools/call')
            ? { status: 400, headers: { 'content-type': 'text/plain' }, body: 'Not now.' }
            : undefined,
      },
    },
    target: { tools: { elicit: {}, sample: {} } },
  },
  {
    what: 'completes nothing',
    ids: ['CMP-01'],
    transports: ['stdio', 'streamable-http'],
    mutation: always('completion/complete', -32_602),
  },
  {
    what: 'does not go on when it got what it asked for',
    ids: ['MRT-08'],
    transports: ['streamable-http'],
    mutation: {
      answer: (message) =>
        'inputResponses' in paramsOf(message) ? error(message['id'], -32_603, 'The backend is down') : undefined,
    },
  },
  {
    what: 'asks for something before it reads any URI',
    ids: ['RES-03', 'RES-06'],
    transports: ['streamable-http', 'stdio'],
    mutation: {
      answer: (message) =>
        message['method'] === 'resources/read' && metaVersion(message) !== undefined
          ? { jsonrpc: '2.0', id: message['id'], result: { resultType: 'input_required', requestState: 'x' } }
          : undefined,
    },
  },
  {
    what: 'reads every long URI',
    ids: ['RES-06'],
    transports: ['stdio'],
    mutation: {
      answer: (message) => {
        const { uri } = paramsOf(message) as { uri?: string };
        if (message['method'] !== 'resources/read' || (uri?.length ?? 0) < 1_000) return undefined;
        const result = { contents: [{ uri, text: 'x' }], resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
        return { jsonrpc: '2.0', id: message['id'], result };
      },
    },
  },
  {
    what: 'gives more messages of a prompt from time to time',
    ids: ['PRM-04'],
    transports: ['stdio', 'streamable-http'],
    mutation: sometimesLonger,
  },
  {
    what: 'answers ping with a page',
    ids: ['RPC-02', 'RPC-03', 'RPC-10', 'HTP-19'],
    transports: ['streamable-http'],
    mutation: {
      http: {
        answer: ({ body }) =>
          body.includes('"ping"') || body.includes('"server/discover"')
            ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>Not found</p>' }
            : undefined,
      },
    },
    rightly: ['LIF-29'],
  },
  {
    what: 'refuses every request that names something',
    ids: ['HTP-33', 'HTP-36', 'HTP-37', 'RES-03', 'TOL-20'],
    transports: ['streamable-http'],
    mutation: {
      http: {
        answer: ({ body }) =>
          /"(?:tools\/call|prompts\/get|resources\/read)"/u.test(body)
            ? { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Too many requests.' }
            : undefined,
      },
    },
  },
  {
    what: 'has an authorization server whose token endpoint is down',
    ids: ['AUT-08', 'AUT-19', 'AUT-20', 'AUT-23'],
    transports: ['streamable-http'],
    mutation: { protection: { answer: (answered, path) => (path === '/token' ? down(answered) : answered) } },
  },
  {
    what: 'has an authorization server at which nobody can register',
    ids: ['AUT-16'],
    transports: ['streamable-http'],
    mutation: { protection: { answer: (answered, path) => (path === '/register' ? down(answered) : answered) } },
  },
  {
    what: 'has metadata that cannot be read at the moment',
    ids: ['AUT-02', 'AUT-05'],
    transports: ['streamable-http'],
    mutation: {
      protection: { answer: (answered, path) => (path.startsWith('/.well-known/') ? down(answered) : answered) },
    },
  },
  {
    what: 'has metadata, and an authorization server whose own cannot be read at the moment',
    ids: ['AUT-05'],
    transports: ['streamable-http'],
    mutation: {
      protection: {
        answer: (answered, path) => (/oauth-authorization|openid/u.test(path) ? down(answered) : answered),
      },
    },
  },
  {
    what: 'asks the second user anew who sends the state of the first one',
    ids: ['AUT-27'],
    transports: ['streamable-http'],
    mutation: askingAnew(),
  },
  {
    what: 'serves nothing more after some failures, whatever they were about',
    ids: ['RES-06'],
    transports: ['stdio'],
    mutation: givingUp(5),
  },
  {
    what: 'refuses every subscription',
    ids: ['SUB-01'],
    transports: ['stdio', 'streamable-http'],
    mutation: always('subscriptions/listen', -32_000),
  },
  {
    what: 'answers ping with an error',
    ids: ['HTP-16', 'HTP-19'],
    transports: ['streamable-http'],
    mutation: always('ping'),
  },
  {
    what: 'is down for those without a token, and then for everybody',
    ids: ['AUT-01', 'AUT-10', 'AUT-11'],
    transports: ['streamable-http'],
    mutation: { protection: { refusal: ({ headers }) => ({ status: 503, headers }) } },
  },
  {
    what: 'limits the number of calls',
    ids: ['CAN-03', 'TOL-20'],
    transports: ['stdio', 'streamable-http'],
    mutation: limited(10),
  },
  {
    what: 'fails at every fifth request',
    ids: ['RPC-14', 'PAG-01', 'PAG-06'],
    transports: ['stdio', 'streamable-http'],
    mutation: failing((count) => count % 5 === 0),
  },
  {
    what: 'fails at everything but the opening',
    ids: ['RPC-09', 'LIF-24', 'RES-03', 'SUB-01', 'TOL-20'],
    transports: ['stdio', 'streamable-http'],
    mutation: failing(() => true),
  },
  {
    what: 'asks in forms about secrets, and for none',
    ids: ['S2C-05'],
    transports: ['stdio', 'streamable-http'],
    mutation: form({
      keep_password: { type: 'boolean', description: 'Keep the password that is stored already' },
      api_key: { type: 'string', enum: ['personal', 'team'], title: 'Which API key to use' },
      note: { type: 'string', description: 'Anything. Do not enter your password here.' },
    }),
    target: { tools: { confirm: {} } },
  },
];

const failed = (results: readonly CheckResult[], rightly: readonly string[]): readonly string[] =>
  results
    .filter(({ verdict, id }) => verdict === 'fail' && !rightly.includes(id))
    .map(({ id, era, detail }) => `${id} ${era}: ${detail ?? ''}`);

describe('no MUST fails on a server that', () => {
  for (const { what, ids, transports, mutation, target, rightly = [] } of CASES) {
    test.each(transports)(`${what}, over %s`, async (transport) => {
      const eras: Mutation['options'] = (options) => ({ ...(mutation.options?.(options) ?? options), eras: 'both' });
      const { results } = await runCell(new MutantServer({ ...mutation, options: eras }), transport, {
        checks: CHECKS.filter(({ id }) => ids.includes(id)),
        target: { ...target, budgets: { requestMs: 1_500, ...target?.budgets } },
      });
      expect(results.length).toBeGreaterThan(0);
      expect(failed(results, rightly)).toEqual([]);
    });
  }
});

/** Serves one legacy client, as servers do whose transport has one session: others are refused, and so is what names none. */
const oneSession = (): Mutation => {
  let isTaken = false;
  const refused = (text: string): { status: number; headers: Record<string, string>; body: string } => ({
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(error(null, -32_600, text)),
  });
  return {
    options: (options) => ({ ...options, eras: 'legacy' }),
    http: {
      answer: ({ method, body, headers }) => {
        if (method !== 'POST') return undefined;
        if (!body.includes('"initialize"')) {
          return headers['mcp-session-id'] === undefined ? refused('Mcp-Session-Id header is required') : undefined;
        }
        if (isTaken) return refused('Server already initialized');
        isTaken = true;
        return undefined;
      },
    },
  };
};

describe('a server that serves one client only', () => {
  test('is not blamed for what it says to others', async () => {
    const { results } = await runCell(new MutantServer(oneSession()), 'streamable-http', {
      checks: CHECKS.filter(({ level, tier }) => level === 'MUST' && tier !== 'intrusive'),
      target: { budgets: { requestMs: 1_500 } },
    });
    expect(failed(results, [])).toEqual([]);
    const unverified = results.find(({ id }) => id === 'RPC-02');
    expect(unverified?.verdict).toBe('not-verified');
    expect(unverified?.supply).toBe('a server that serves several clients');
  });
});

/** Serves the first client; every later initialize is refused with this status. */
const oneClient = (status: number): Mutation => {
  let isTaken = false;
  return {
    http: {
      response: (answered, { method, body }) => {
        if (method !== 'POST' || !body.includes('"initialize"')) return answered;
        if (isTaken) return { ...answered, status };
        isTaken = true;
        return answered;
      },
    },
  };
};

describe('nothing is concluded from the refusal of a server that', () => {
  test.each([403, 404, 503])('serves one client and answers the others with HTTP %i', async (status) => {
    const { results } = await runCell(new MutantServer(oneClient(status)), 'sse', {
      checks: CHECKS.filter(({ id }) => /^SSE-0[3467]$/u.test(id)),
    });
    expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['SSE-03', 'not-verified'],
      ['SSE-04', 'not-verified'],
      ['SSE-06', 'not-verified'],
      ['SSE-07', 'not-verified'],
    ]);
  });
});

describe('both eras', () => {
  test('are the same when only the order of members differs', async () => {
    const mutation: Mutation = {
      options: (options) => ({ ...options, eras: 'both' }),
      toClient: (message, { request }) => {
        const { result } = message as { result?: { tools?: readonly Record<string, unknown>[] } };
        if (result?.tools === undefined || metaVersion(request) !== undefined) return message;
        const turned = (value: unknown): unknown =>
          Array.isArray(value)
            ? value.map(turned)
            : typeof value === 'object' && value !== null
              ? Object.fromEntries(
                  Object.entries(value)
                    .toReversed()
                    .map(([name, inner]) => [name, turned(inner)]),
                )
              : value;
        return { ...message, result: { ...result, tools: result.tools.map((tool) => turned(tool)) } };
      },
    };
    const { results } = await runCell(new MutantServer(mutation), 'streamable-http', {
      checks: CHECKS.filter(({ id }) => id === 'LIF-23'),
    });
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass']);
  });
});
