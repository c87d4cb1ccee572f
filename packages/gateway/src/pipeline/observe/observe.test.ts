import { PlugboardError, type Quarantine, type ServerStatus, type WrittenAuditRecord } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { McpCall } from '../../call/mcp-call.js';
import { type CallStep, composeSteps } from '../../call/step.js';
import { sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { sampleCall } from '../../test-support/mcp-call.js';
import { auditCalls } from './audit-calls.js';
import type { CallRecord } from './call-record.js';
import { CallStats } from './call-stats.js';
import { HubMetrics } from '../../metrics/hub-metrics.js';
import { type CallLog, logCalls } from './log-calls.js';
import { redactArguments } from './redact-arguments.js';
import { noteServers } from './note-servers.js';
import { noteRoute, watchCalls } from './watch-calls.js';

const server = sampleServer('one', 1);
const tool = sampleTool(server, 'a');
const route: CallStep = (call, next) =>
  next({
    ...call,
    route: {
      kind: 'upstream',
      server,
      method: call.method,
      params: call.params,
      tool: {
        kind: 'server',
        name: 'one__a',
        definition: { name: 'one__a' },
        server,
        tool,
        upstreamDefinition: { name: 'a' },
      },
    },
  });

const record = (changes: Partial<CallRecord> = {}): CallRecord => ({
  method: 'tools/call',
  scope: 'all',
  principal: 'local',
  era: 'legacy',
  server: 'one',
  tool: 'a',
  outcome: 'ok',
  durationMs: 5,
  traceId: undefined,
  args: { city: 'Oslo', key: 'canary' },
  ...changes,
});

const watch = async (
  last: (call: McpCall) => Promise<unknown>,
  call = sampleCall('tools/call', { name: 'one__a' }),
) => {
  const seen: CallRecord[] = [];
  const errors: unknown[] = [];
  let ms = 0;
  const step = watchCalls({
    sinks: [
      () => {
        throw new Error('broken sink');
      },
      (each) => seen.push(each),
    ],
    onInternalError: (error) => errors.push(error),
    now: () => (ms += 7),
  });
  const outcome = await composeSteps([step, route, noteRoute, last])(call).then(
    (result: unknown) => ({ result }),
    (error: unknown) => ({ result: error }),
  );
  return { ...outcome, seen, errors };
};

describe('watchCalls', () => {
  it('tells where a request went and how long it took, and a sink that fails harms nobody', async () => {
    const { result, seen, errors } = await watch(async () => ({ content: [] }));
    expect(result).toEqual({ content: [] });
    expect(seen).toMatchObject([
      {
        method: 'tools/call',
        server: 'one',
        tool: 'a',
        outcome: 'ok',
        durationMs: 7,
        principal: 'local',
        era: 'legacy',
      },
    ]);
    expect(errors).toHaveLength(1);
  });

  it.each([
    ['a result that says isError', async () => ({ isError: true }), 'tool_error'],
    ['a coded failure', async () => Promise.reject(new PlugboardError('UPSTREAM_TIMEOUT', 'late')), 'UPSTREAM_TIMEOUT'],
    ['anything else', async () => Promise.reject(new Error('secret text')), 'INTERNAL'],
  ])('names %s', async (_case, last, outcome) => {
    const { seen } = await watch(last);
    expect(seen[0]?.outcome).toBe(outcome);
    expect(JSON.stringify(seen)).not.toContain('secret text');
  });

  it('counts a request that its client took back as cancelled, and unknown methods as others', async () => {
    const gone = AbortSignal.abort();
    const call = sampleCall('made/up', {}, { signal: gone });
    const { seen } = await watch(async () => Promise.reject(new Error('x')), call);
    expect(seen[0]).toMatchObject({ method: 'other', outcome: 'CANCELLED' });
  });

  it('needs nobody who watches to note a route', async () => {
    expect(await composeSteps([route, noteRoute, async () => 1])(sampleCall('tools/call'))).toBe(1);
  });
});

describe('CallStats', () => {
  it('sums up by method and by tool', () => {
    const stats = new CallStats({ slowAfterMs: 1000, since: '2026-01-01T00:00:00.000Z', maxTools: 2 });
    for (let ms = 1; ms <= 100; ms += 1) stats.add(record({ durationMs: ms }));
    stats.add(record({ tool: 'b', outcome: 'tool_error', durationMs: 2000 }));
    stats.add(record({ tool: 'c', outcome: 'UPSTREAM_TIMEOUT' }));
    stats.add(record({ method: 'tools/list', server: undefined, tool: undefined }));
    stats.add(record({ method: 'subscriptions/listen', durationMs: 9_000_000 }));
    const { methods, tools, tools_left_out } = stats.summary();
    expect(methods.map(({ method, count }) => [method, count])).toEqual([
      ['tools/call', 102],
      ['tools/list', 1],
    ]);
    expect(methods[0]).toMatchObject({ failed: 1, tool_errors: 1, slow: 1, success_rate: 100 / 102 });
    expect(tools.map(({ server: name, tool: of }) => [name, of])).toEqual([
      ['one', 'a'],
      ['one', 'b'],
    ]);
    expect(tools_left_out).toBe(1);
    expect(tools[0]?.p50_ms).toBeGreaterThan(48);
    expect(tools[0]?.p50_ms).toBeLessThan(52);
    expect(tools[0]?.p99_ms).toBeGreaterThan(97);
    expect(tools[1]).toMatchObject({ count: 1, success_rate: 0, slow: 1 });
  });
});

describe('HubMetrics', () => {
  it('speaks the text of Prometheus, with codes as labels and nothing that a caller sent', async () => {
    const quarantined: Quarantine = {
      since: '2026-01-01T00:00:00.000Z',
      kind: 'breaking',
      accepted_hash: 'x',
      changes: [],
    };
    const entries = [
      {
        server,
        tools: [
          tool,
          sampleTool(server, 'bb', { enabled: false }),
          sampleTool(server, 'ccc', { enabled: false, quarantine: quarantined }),
        ],
      },
    ];
    const metrics = new HubMetrics({
      snapshot: () => ({ version: 1, entries }),
      status: (): ServerStatus => ({ state: 'ready', at: '2026-01-01T00:00:00.000Z' }),
      sessions: () => 3,
      connections: () => 2,
      children: () => ({ running: 1, max: 20, waiting: 3, evicted: 7 }),
      load: () => ({ circuit: 'open', calls_running: 4, calls_queued: 5 }),
      usage: () => ({ residentBytes: 4096, heapBytes: 1024, cpuSeconds: 1.5 }),
      services: () => ({
        vision: { state: 'up', checked_at: null, latency_ms: 250, http_status: 200, reason: null },
        mail: { state: 'down', checked_at: null, latency_ms: null, http_status: null, reason: 'x' },
        new: { state: 'unknown', checked_at: null, latency_ms: null, http_status: null, reason: null },
      }),
    });
    metrics.add(record());
    metrics.add(record({ outcome: 'tool_error' }));
    metrics.add(record({ outcome: 'UPSTREAM_TIMEOUT', durationMs: 60_000 }));
    metrics.add(record({ method: 'subscriptions/listen', server: undefined }));
    const { contentType, text } = await metrics.read();
    expect(contentType).toContain('text/plain');
    expect(text).not.toContain('service="new"');
    for (const line of [
      'plugboard_service_up{service="vision"} 1',
      'plugboard_service_up{service="mail"} 0',
      'plugboard_service_latency_seconds{service="vision"} 0.25',
      'plugboard_requests_total{method="tools/call",server="one",outcome="ok"} 1',
      'plugboard_requests_total{method="tools/call",server="one",outcome="error"} 1',
      'plugboard_errors_total{method="tools/call",server="one",code="upstream_timeout"} 1',
      'plugboard_request_duration_seconds_count{method="tools/call"} 3',
      'plugboard_request_duration_seconds_sum{method="tools/call"} 60.01',
      'plugboard_request_duration_seconds_bucket{le="0.0025",method="tools/call"} 0',
      'plugboard_request_duration_seconds_bucket{le="0.005",method="tools/call"} 2',
      'plugboard_request_duration_seconds_bucket{le="60",method="tools/call"} 3',
      'plugboard_request_duration_seconds_bucket{le="+Inf",method="tools/call"} 3',
      'plugboard_sessions 3',
      'plugboard_connections 2',
      'plugboard_children 1',
      'plugboard_children_max 20',
      'plugboard_children_waiting 3',
      'plugboard_children_evicted_total 7',
      'plugboard_circuit_state{server="one",state="open"} 1',
      'plugboard_circuit_state{server="one",state="closed"} 0',
      'plugboard_calls{server="one",state="running"} 4',
      'plugboard_calls{server="one",state="queued"} 5',
      'plugboard_server_state{server="one",state="ready"} 1',
      'plugboard_server_state{server="one",state="failing"} 0',
      'plugboard_tools{server="one",state="offered"} 1',
      'plugboard_tools{server="one",state="withheld"} 1',
      'plugboard_tools{server="one",state="quarantined"} 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toContain('process_resident_memory_bytes 4096');
    expect(text).toContain('process_cpu_seconds_total 1.5');
    expect(text).not.toContain('canary');
    expect(text).not.toContain('method="subscriptions/listen",le');
    expect((await metrics.read()).text).toContain('plugboard_sessions 3');
  });
});

describe('auditCalls', () => {
  const audited = (changes: Partial<CallRecord> = {}, keepArguments?: boolean) => {
    const entries: WrittenAuditRecord[] = [];
    auditCalls({ record: (entry) => entries.push(entry), keepArguments, now: () => 0 })(record(changes));
    return entries.map((entry) => ({ ...entry, details: JSON.parse(entry.details) as JsonObject }));
  };

  it('writes down a result that it gets, redacted', () => {
    const [entry] = audited({ result: { structuredContent: { password: 'hunter2', city: 'Oslo' } } });
    expect(entry?.details['result']).toEqual({
      cut: false,
      value: { structuredContent: { password: '••••', city: 'Oslo' } },
    });
  });

  it('keeps values of arguments up to a bound, and describes longer ones', () => {
    const [short] = audited({ args: { city: 'Oslo' } }, true);
    expect(short?.details['arguments']).toEqual({ city: 'Oslo' });
    const [long] = audited({ args: { text: 'x'.repeat(100_000) } }, true);
    expect(long?.details['arguments']).toEqual({ text: 'text of 100000 characters' });
  });

  it('writes down the phases of a call that has them, to the microsecond', () => {
    const [entry] = audited({ phases: { prepare: 0.123_456, connect: 2 } });
    expect(entry?.details['phases_ms']).toEqual({ prepare: 0.123, connect: 2 });
  });

  it('writes down who called what, without the values', () => {
    expect(audited({ traceId: 'abc' })).toEqual([
      {
        at: 0,
        kind: 'call',
        actor: 'local',
        action: 'tools/call',
        target: 'one/a',
        outcome: 'ok',
        duration_ms: 5,
        details: {
          endpoint: 'all',
          arguments: { city: 'text of 4 characters', key: 'text of 6 characters' },
          trace_id: 'abc',
        },
      },
    ]);
    expect(audited({ method: 'tools/list' })).toEqual([]);
    expect(audited({ server: undefined, tool: undefined })[0]?.target).toBe('all');
  });

  it('keeps the values only where an operator wants them', () => {
    expect(audited({}, true)[0]?.details['arguments']).toEqual({ city: 'Oslo', key: 'canary' });
    expect(audited({ args: undefined }, true)[0]?.details['arguments']).toEqual({});
  });
});

describe('redactArguments', () => {
  it('names each kind', () => {
    const args: JsonObject = { a: null, b: [1, 2], c: { x: 1 }, d: 1, e: true };
    const kinds = { a: 'null', b: 'array of 2', c: 'object of 1', d: 'number', e: 'boolean' };
    expect(JSON.parse(redactArguments(args))).toEqual(kinds);
    expect(redactArguments('text')).toBe('{}');
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`n"${index}`.padEnd(200, 'x'), 1]));
    const names = Object.keys(JSON.parse(redactArguments(many)) as JsonObject);
    expect([names.length, names[0]?.length, names[0]?.startsWith('n"0x')]).toEqual([50, 128, true]);
  });

  it('lets no value through', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue()), (args) => {
        const canary = 'canary-9f3';
        const text = redactArguments({ ...args, secret: canary, deep: { list: [canary] } });
        expect(text).not.toContain(canary);
      }),
    );
  });
});

describe('logCalls', () => {
  const logged = (everyRequest: boolean, changes: Partial<CallRecord>) => {
    const lines: [string, object | undefined][] = [];
    const log: CallLog = {
      written: (message, members) => void lines.push([message, JSON.parse(`{${members}}`) as JsonObject]),
      warn: (message, fields) => void lines.push([message, fields]),
    };
    logCalls({ log, slowAfterMs: 1000, everyRequest })(record(changes));
    return lines;
  };

  it('writes a line for every request, a warning for a slow one, and no argument', () => {
    const fields = {
      method: 'tools/call',
      endpoint: 'all',
      server: 'one',
      tool: 'a',
      outcome: 'ok',
      duration_ms: 5,
      caller: 'local',
      era: 'legacy',
    };
    expect(logged(true, {})).toEqual([['A request was answered.', fields]]);
    expect(logged(true, { traceId: 'abc' })).toEqual([['A request was answered.', { ...fields, trace_id: 'abc' }]]);
    const { server: _server, tool: _tool, ...listed } = { ...fields, endpoint: 'a "b"' };
    expect(logged(true, { scope: 'a "b"', server: undefined, tool: undefined })).toEqual([
      ['A request was answered.', listed],
    ]);
    expect(logged(false, {})).toEqual([]);
    expect(logged(false, { durationMs: 1001 })).toEqual([['A request was slow.', { ...fields, duration_ms: 1001 }]]);
    expect(logged(false, { durationMs: 1001, method: 'subscriptions/listen' })).toEqual([]);
    expect(JSON.stringify(logged(true, {}))).not.toContain('canary');
  });
});

describe('noteServers', () => {
  const noted = async (call: McpCall, last: () => Promise<unknown>, routing: readonly CallStep[] = [route]) => {
    const notes: unknown[] = [];
    const step = noteServers((id, error) => notes.push([id, error?.code]));
    await composeSteps([...routing, step, last])(call).catch(() => undefined);
    return notes;
  };
  const refused = async () => Promise.reject(new PlugboardError('UPSTREAM_REFUSED', 'x'));

  it('tells how the server was found', async () => {
    expect(await noted(sampleCall('tools/call'), async () => ({}))).toEqual([[server.id, undefined]]);
    expect(await noted(sampleCall('tools/call'), refused)).toEqual([[server.id, 'UPSTREAM_REFUSED']]);
  });

  it('tells nothing of requests that went nowhere, or that their client took back', async () => {
    expect(await noted(sampleCall('ping'), async () => ({}), [])).toEqual([]);
    expect(await noted(sampleCall('tools/call', {}, { signal: AbortSignal.abort() }), refused)).toEqual([]);
  });
});
