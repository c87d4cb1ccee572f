import type { JsonRpcErrorBody, JsonRpcRequest } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import { httpStatusError } from '../error/http-status-error.js';
import { clientError } from '../error/to-client-error.js';
import { ScriptedTransport, type RpcAnswer, type RpcScript } from '../test-support/scripted-transport.js';
import type { TransportKind } from '../transport/transport.js';
import { negotiate, type NegotiateOptions } from './negotiate.js';

const initialized = (version = '2025-11-25'): RpcAnswer => ({
  result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: 's' }, instructions: 'Hi.' },
});
const discovered = (...versions: readonly string[]): RpcAnswer => ({
  result: { supportedVersions: versions, capabilities: {}, instructions: 'Hello.' },
});
const refused = (code: number, data?: unknown): RpcAnswer => ({
  error: { code, message: 'no', ...(data === undefined ? {} : { data }) } satisfies JsonRpcErrorBody,
});

interface Run extends Partial<NegotiateOptions> {
  readonly discover?: RpcScript;
  readonly initialize?: RpcScript;
}

const run = async ({ discover, initialize, ...options }: Run) => {
  const opened: ScriptedTransport[] = [];
  const fallbacks: string[] = [];
  let id = 0;
  const script: RpcScript = (message, exchange) => {
    const chosen = message.method === 'initialize' ? initialize : discover;
    return chosen?.(message, exchange) ?? refused(-32601);
  };
  const outcome = negotiate({
    kind: 'streamable_http',
    open: async (kind: TransportKind) => {
      const transport = new ScriptedTransport(script, kind);
      opened.push(transport);
      return transport;
    },
    probeMs: 50,
    host: 'host',
    redact: (text) => text,
    identity: { clientInfo: { name: 'c' }, capabilities: {} },
    nextId: () => (id += 1),
    signal: new AbortController().signal,
    onIncoming: () => undefined,
    onFallback: (from, to) => fallbacks.push(`${from} → ${to}`),
    ...options,
  });
  const settled = await outcome.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  return { ...settled, opened, fallbacks, methods: opened.map((transport) => transport.methods) };
};

describe('the modern greeting', () => {
  test('a modern answer settles it', async () => {
    const { value, methods, opened } = await run({ discover: () => discovered('2025-11-25', '2026-07-28') });
    expect(value?.agreement).toMatchObject({ version: '2026-07-28', instructions: 'Hello.' });
    expect(methods).toEqual([['server/discover']]);
    expect(opened[0]?.adopted?.id).toBe('2026-07-28');
  });

  test.each([
    ['a list of legacy versions', () => discovered('2025-06-18')],
    ['an answer that says nothing', () => ({ result: {} })],
    ['an answer that is no object', () => ({ result: 'pong' })],
    ['method not found', () => refused(-32601)],
    ['invalid params', () => refused(-32602)],
    ['not initialized', () => refused(-32000)],
    ['a modern refusal that only names legacy versions', () => refused(-32022, { supported: ['2025-03-26'] })],
  ])('%s leads to the old greeting', async (_what, discover) => {
    const { value, methods } = await run({ discover, initialize: () => initialized() });
    expect(value?.agreement).toMatchObject({ version: '2025-11-25', instructions: 'Hi.' });
    expect(methods).toEqual([['server/discover', 'initialize', 'notifications/initialized']]);
  });

  test.each([
    ['no version in common', () => discovered('2031-01-01'), 'UPSTREAM_PROTOCOL'],
    ['no version in common, as an error', () => refused(-32022, { supported: ['2031-01-01'] }), 'UPSTREAM_PROTOCOL'],
    ['a refusal without a list', () => refused(-32022), 'UPSTREAM_PROTOCOL'],
    ['a missing capability', () => refused(-32021), 'UPSTREAM_PROTOCOL'],
    ['a header mismatch', () => refused(-32020), 'UPSTREAM_PROTOCOL'],
  ])('%s is an error, not a reason to fall back', async (_what, discover, code) => {
    const { error, methods, opened } = await run({ discover, initialize: () => initialized() });
    expect(error).toMatchObject({ code, delivery: 'not-executed' });
    expect(methods).toEqual([['server/discover']]);
    expect(opened[0]?.closed).toBe(1);
  });

  test('a server that refuses the version it says it supports is asked once more, and no further', async () => {
    const refusal = refused(-32022, { supported: ['2026-07-28'] });
    let asked = 0;
    const { value, methods } = await run({
      discover: () => {
        asked += 1;
        return asked === 1 ? refusal : discovered('2026-07-28');
      },
    });
    expect(value?.agreement.version).toBe('2026-07-28');
    expect(methods).toEqual([['server/discover', 'server/discover']]);
    const stubborn = await run({ discover: () => refusal, initialize: () => initialized() });
    expect(stubborn.error).toMatchObject({ code: 'UPSTREAM_PROTOCOL', delivery: 'not-executed' });
    expect(stubborn.methods).toEqual([['server/discover', 'server/discover']]);
  });

  test.each([
    [clientError('UPSTREAM_REFUSED', ''), 1],
    [clientError('UPSTREAM_AUTH', ''), 1],
    [httpStatusError({ status: 503, host: 'h' }), 1],
    [httpStatusError({ status: 500, host: 'h' }), 2],
    [clientError('UPSTREAM_CLOSED', ''), 2],
  ])('%s is followed by the old greeting only when it speaks of the era', async (failure, greetings) => {
    const { methods } = await run({
      discover: () => Promise.reject(failure),
      initialize: () => initialized(),
    });
    expect(methods[0]?.filter((method) => !method.startsWith('notifications'))).toHaveLength(greetings);
  });
});

describe('time', () => {
  test('a server that ignores the probe gets the old greeting', async () => {
    const { value, methods } = await run({ discover: () => 'hang', initialize: () => initialized() });
    expect(value?.agreement.version).toBe('2025-11-25');
    expect(methods[0]).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });

  test('a slow modern server is asked once more when it refuses the old greeting', async () => {
    let asked = 0;
    const { value } = await run({
      discover: () => {
        asked += 1;
        return asked === 1 ? 'hang' : discovered('2026-07-28');
      },
      initialize: () => refused(-32022),
    });
    expect(value?.agreement.version).toBe('2026-07-28');
  });

  test('a server that refuses both ends with the timeout', async () => {
    let asked = 0;
    const { error } = await run({
      discover: () => {
        asked += 1;
        return asked === 1 ? 'hang' : refused(-32601);
      },
      initialize: () => refused(-32601),
    });
    expect(error).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });

  test('the whole has a deadline as well', async () => {
    const controller = new AbortController();
    const { error } = await run({
      signal: controller.signal,
      discover: () => {
        controller.abort(clientError('UPSTREAM_TIMEOUT', 'Late.'));
        return 'hang' as const;
      },
    });
    expect(error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', delivery: 'not-executed' });
  });
});

describe('what is remembered or demanded', () => {
  const legacy = { era: 'legacy', transport: 'streamable_http' } as const;

  test('a remembered legacy server is greeted the old way at once', async () => {
    const { methods } = await run({ remembered: legacy, initialize: () => initialized('2025-03-26') });
    expect(methods).toEqual([['initialize', 'notifications/initialized']]);
  });

  test('a remembered legacy server that refuses is asked anew', async () => {
    const { value } = await run({
      remembered: legacy,
      initialize: () => refused(-32601),
      discover: () => discovered('2026-07-28'),
    });
    expect(value?.agreement.version).toBe('2026-07-28');
  });

  test('only one era', async () => {
    const old = await run({ onlyEra: 'legacy', initialize: () => refused(-32601) });
    expect(old.methods).toEqual([['initialize']]);
    const modern = await run({ onlyEra: 'modern', discover: () => ({ result: {} }) });
    expect(modern.error).toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    expect(modern.methods).toEqual([['server/discover']]);
  });
});

describe('initialize', () => {
  test.each([
    ['no version', { result: { capabilities: {} } }],
    ['no object', { result: [] }],
    ['an unknown version', initialized('1999-01-01')],
    ['a modern version', initialized('2026-07-28')],
  ])('an answer with %s is refused', async (_what, answer) => {
    const { error } = await run({ onlyEra: 'legacy', initialize: () => answer });
    expect(error).toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
  });

  test('members of the wrong kind are left out', async () => {
    const { value } = await run({
      onlyEra: 'legacy',
      initialize: () => ({
        result: { protocolVersion: '2024-10-07', capabilities: 7, serverInfo: [], instructions: {} },
      }),
    });
    expect(value?.agreement).toMatchObject({
      version: '2024-10-07',
      capabilities: {},
      serverInfo: undefined,
      instructions: undefined,
    });
  });

  test('a version that the server names is tried', async () => {
    const seen: unknown[] = [];
    await run({
      onlyEra: 'legacy',
      initialize: (message: JsonRpcRequest) => {
        seen.push((message.params as { protocolVersion: unknown }).protocolVersion);
        return seen.length === 1 ? refused(-32602, { supported: [7, '2025-03-26'] }) : initialized('2025-03-26');
      },
    });
    expect(seen).toEqual(['2025-11-25', '2025-03-26']);
  });
});

describe('transports', () => {
  const notHere = (): never => {
    throw httpStatusError({ status: 405, host: 'h' });
  };

  test('the other HTTP transport is tried when this one is not there', async () => {
    let greetings = 0;
    const { value, fallbacks, opened } = await run({
      discover: notHere,
      initialize: () => {
        greetings += 1;
        return greetings > 1 ? initialized() : notHere();
      },
    });
    expect(value?.transport.kind).toBe('sse');
    expect(fallbacks).toEqual(['streamable_http → sse']);
    expect(opened.map(({ kind }) => kind)).toEqual(['streamable_http', 'sse']);
  });

  test('when neither is there, the error of the configured one is told', async () => {
    const { error, fallbacks } = await run({ kind: 'sse', initialize: notHere, discover: notHere });
    expect(error).toMatchObject({ code: 'UPSTREAM_WRONG_URL', details: { http_status: 405 } });
    expect(fallbacks).toEqual([]);
  });

  test('a remembered transport comes first', async () => {
    const { opened } = await run({ remembered: { era: 'legacy', transport: 'sse' }, initialize: () => initialized() });
    expect(opened.map(({ kind }) => kind)).toEqual(['sse']);
  });

  test('a process that dies of the probe is started again and greeted the old way', async () => {
    const { value, methods } = await run({
      kind: 'stdio',
      discover: () => Promise.reject(clientError('PROCESS_EXITED', 'Dead.')),
      initialize: () => initialized(),
    });
    expect(value?.transport.kind).toBe('stdio');
    expect(methods).toEqual([['server/discover'], ['initialize', 'notifications/initialized']]);
  });
});
