import type { BenchReport } from '@plugboard/contract';
import {
  LOAD_MUTANTS,
  memoryNetwork,
  mutantServer,
  referenceServer,
  STREAM_MUTANTS,
  type MutantServer,
  type Mutation,
} from '@plugboard/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { at, isObject, listAt, type JsonObject } from '../connection/json.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { BENCH_REPORTERS } from './report/formats.js';
import { runBench } from './run-bench.js';

type Transport = 'stdio' | 'streamable-http' | 'sse';
type Plan = NonNullable<CheckTargetInput['load']>;

const QUICK: Plan = { call: { tool: 'echo' }, scenarios: ['steady'], concurrency: 8, seconds: 0.4, warmUpSeconds: 0 };

const bench = async (
  server: MutantServer,
  transport: Transport,
  { era, requestMs = 5_000, ...load }: Plan & { readonly era?: 'legacy' | 'modern'; readonly requestMs?: number } = {},
): Promise<BenchReport> => {
  onTestFinished(() => server.close());
  const memory = memoryNetwork();
  const listener =
    transport === 'stdio'
      ? undefined
      : await (transport === 'sse' ? server.listenSse(memory) : server.listenHttp(memory));
  const target = checkTarget.parse({
    ...(listener === undefined ? { command: ['in-process'] } : { url: listener.url, transport }),
    ...(era === undefined ? {} : { era }),
    budgets: { requestMs, startMs: 5_000 },
    load: { ...QUICK, ...load },
  });
  return await runBench(target, {
    version: 'test',
    launch: () => server.launch(),
    network: {
      admit: () => undefined,
      lookup: () => undefined,
      connect: (port, host) => memory.connect(port, host),
    },
  });
};

const CELLS = [
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
  ['streamable-http', 'legacy'],
  ['streamable-http', 'modern'],
  ['sse', 'legacy'],
] as const;

describe('load on a correct server', () => {
  test.each(CELLS)('over %s in the %s era is measured, and finds nothing wrong', async (transport, era) => {
    const report = await bench(referenceServer(), transport, { era });
    expect(report.violations).toEqual([]);
    expect(report.outcome).toBe('passed');
    expect(report.call).toEqual({ method: 'tools/call', tool: 'echo', canary: true });
    const [steady, health] = report.scenarios[0]?.phases ?? [];
    expect(steady).toMatchObject({ name: 'steady', loop: 'closed', concurrency: 8, failed: 0 });
    expect(steady?.calls).toBeGreaterThanOrEqual(8);
    expect(health?.failed).toBe(0);
    expect(report.generator?.cpuMicrosecondsPerCall).toBeGreaterThan(0);
  });

  test('that reports progress is followed, too', async () => {
    const call = { tool: 'progress', arguments: { steps: 4, ms: 1 } };
    for (const transport of ['stdio', 'streamable-http', 'sse'] as const) {
      const report = await bench(referenceServer(), transport, { call });
      expect(report.violations).toEqual([]);
      expect(report.scenarios[0]?.phases[0]?.failed).toBe(0);
    }
  });

  test('goes through every scenario', async () => {
    const report = await bench(referenceServer(), 'streamable-http', {
      scenarios: [
        'first-calls',
        'cold-start',
        'single',
        'list',
        'payload',
        'head-of-line',
        'exhaustion',
        'spike',
        'ramp',
      ],
      slowCall: { tool: 'sleep', arguments: { ms: 20 } },
      concurrency: 4,
      stepSeconds: 0.1,
      maxConcurrency: 8,
      connections: 30,
      maxPayloadBytes: 10_240,
    });
    expect(report.scenarios.map(({ scenario }) => scenario)).toEqual([
      'first-calls',
      'cold-start',
      'single',
      'list',
      'payload',
      'head-of-line',
      'exhaustion',
      'spike',
      'ramp',
    ]);
    expect(report.violations).toEqual([]);
    expect(report.metrics).toMatchObject({
      first_calls_failed: { count: 0 },
      exhaustion_failed: { count: 0 },
      exhaustion_recovery_failed: { count: 0 },
      exhaustion_streams: { count: 30, rate: 1 },
    });
    const curve = (name: string) =>
      report.scenarios.find(({ scenario }) => scenario === name)?.curve?.map(({ x }) => x);
    expect(curve('payload')).toEqual([1_024, 10_240]);
    expect(curve('ramp')?.slice(0, 2)).toEqual([1, 2]);
    expect(curve('list')?.length).toBeGreaterThan(1);
  });

  test('is ramped up to its breaking point, and no further', async () => {
    let open = 0;
    const isCall = (message: { readonly method?: unknown } | undefined) => message?.method === 'tools/call';
    const crowded = mutantServer({
      name: 'fails-with-four-callers',
      kills: 'capacity',
      defect: 'Calls fail when more than three are open.',
      mutation: {
        toServer: (message) => {
          if (isCall(message)) open += 1;
          return message;
        },
        toClient: (message, { request }) => {
          if (!isCall(request) || 'method' in message) return message;
          open -= 1;
          return open > 2 ? { jsonrpc: '2.0', id: message['id'], error: { code: -32_000, message: 'Busy' } } : message;
        },
      },
    });
    const report = await bench(crowded, 'streamable-http', {
      scenarios: ['ramp'],
      call: { tool: 'sleep', arguments: { ms: 5 } },
      stepSeconds: 0.3,
      maxConcurrency: 32,
    });
    // A machine that stalls may break it earlier, but nothing gets past four.
    expect(report.scenarios[0]?.summary).toMatch(/calls\/s at most, breaks with [124] callers?/u);
    expect(report.metrics['capacity']?.['value']).toBeGreaterThanOrEqual(0);
  });

  test('is started anew for each cold start', async () => {
    const server = referenceServer();
    const launched = vi.spyOn(server, 'launch');
    const report = await bench(server, 'stdio', { scenarios: ['cold-start'] });
    // One for the discovery of each era or more, one that is shared, and five for the scenario.
    expect(launched.mock.calls.length).toBeGreaterThanOrEqual(7);
    expect(report.scenarios[0]?.phases[0]).toMatchObject({ calls: 5, failed: 0 });
    expect(report.metrics['cold_start_duration']?.['min']).toBeGreaterThan(0);
    expect(report.metrics['cold_start_failed']).toEqual({ count: 0, rate: 0 });
  });

  test('that loses its list after a while fails its cold starts', async () => {
    let lists = 0;
    const broken = mutantServer({
      name: 'lists-once',
      kills: 'cold_start_failed',
      defect: 'The list of tools can be read once.',
      mutation: {
        answer: ({ id, method }) => {
          if (method !== 'tools/list') return undefined;
          lists += 1;
          return lists > 1 ? { jsonrpc: '2.0', id, error: { code: -32_603, message: 'Gone' } } : undefined;
        },
      },
    });
    const report = await bench(broken, 'streamable-http', { scenarios: ['cold-start'], call: undefined });
    expect(report.metrics['cold_start_failed']?.['count']).toBeGreaterThan(0);
    expect(report.scenarios[0]?.phases[0]?.errors).toHaveProperty('refused');
  });

  test('with an arrival rate sends as many calls as are due', async () => {
    const report = await bench(referenceServer(), 'streamable-http', { rate: 100, seconds: 0.5 });
    expect(report.scenarios[0]?.phases[0]).toMatchObject({ loop: 'open', rate: 100, calls: 50, failed: 0 });
  });

  test('calls nothing that nobody allowed', async () => {
    const server = referenceServer();
    const report = await bench(server, 'stdio', { call: undefined });
    expect(report.call).toMatchObject({ method: 'server/discover', canary: false });
    expect(report.call?.note).toContain('--tool');
    expect(server.server.counters.executed('echo')).toBe(0);
  });

  test('says which tools there are when it was told a wrong one', async () => {
    const report = await bench(referenceServer(), 'stdio', { call: { tool: 'ecko' } });
    expect(report).toMatchObject({ outcome: 'not-examined', reason: 'The server has no tool "ecko".' });
  });
});

const honest = (mutation: Mutation): MutantServer =>
  mutantServer({ name: 'honest', kills: 'nothing', defect: 'None.', mutation });

const TRANSPORTS = ['stdio', 'streamable-http', 'sse'] as const;

describe('an honest server is not accused', () => {
  const PROGRESS: Plan = { call: { tool: 'progress', arguments: { steps: 3, ms: 1 } } };
  const isCall = (message: JsonObject | undefined): boolean => message?.['method'] === 'tools/call';
  const tokenOf = (message: JsonObject | undefined): unknown => at(message, 'params', '_meta', 'progressToken');

  test('when it rejects requests with an error that has no id', async () => {
    let requests = 0;
    const server = honest({
      http: {
        answer: ({ body }) => {
          if (!body.includes('"tools/call"')) return undefined;
          requests += 1;
          if (requests % 3 !== 0) return undefined;
          const error = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Too many requests' } };
          const status = requests % 2 === 0 ? 503 : 200;
          return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(error) };
        },
      },
    });
    const report = await bench(server, 'streamable-http');
    expect(report.violations).toEqual([]);
    expect(Object.keys(report.scenarios[0]?.phases[0]?.errors ?? {}).toSorted()).toEqual(['HTTP 503', 'error -32000']);
  });

  test.each(['stdio', 'sse'] as const)('when progress comes late, over %s', async (transport) => {
    let [calls, progress, overdue]: [number, number, unknown] = [0, 10, undefined];
    const server = honest({
      toClient: (message, { request }) => {
        if (!isCall(request) || 'method' in message) return message;
        calls += 1;
        const token = tokenOf(request);
        // The first call after that of the trial is still at work when its caller has given up.
        if (calls === 2) {
          overdue = token;
          return undefined;
        }
        if (overdue === undefined) return message;
        progress += 1;
        const late = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: overdue, progress } };
        return [late, message];
      },
    });
    const report = await bench(server, transport, { ...PROGRESS, requestMs: 400, seconds: 1, concurrency: 1 });
    expect(report.scenarios[0]?.phases[0]?.errors).toEqual({ timeout: 1 });
    expect(report.violations).toEqual([]);
  });

  test('when its tool also returns earlier texts', async () => {
    const notes: unknown[] = [];
    const server = honest({
      toClient: (message, { request }) => {
        if (!isCall(request) || !isObject(message['result'])) return message;
        notes.push(...listAt(message['result'], 'content'));
        return { ...message, result: { ...message['result'], content: notes.slice(-20) } };
      },
    });
    const report = await bench(server, 'streamable-http');
    expect(report.violations).toEqual([]);
    expect(report.call).toMatchObject({ canary: true, note: expect.stringContaining('earlier calls') });
  });

  test.each(TRANSPORTS)('over %s for ending sessions that leave its pings unanswered', async (transport) => {
    let [pings, replies] = [0, 0];
    const server = honest({
      toServer: (message) => {
        if (!String(message['id']).startsWith('ping-') || 'method' in message) return message;
        if (isObject(message['result'])) replies += 1;
        return undefined;
      },
      toClient: (message) => {
        if (message['method'] !== 'notifications/progress') return message;
        pings += 1;
        return [message, { jsonrpc: '2.0', id: `ping-${pings}`, method: 'ping' }];
      },
    });
    const report = await bench(server, transport, { ...PROGRESS, era: 'legacy' });
    expect(report.violations).toEqual([]);
    expect(pings).toBeGreaterThan(10);
    expect(replies).toBeGreaterThan(pings / 2);
  });
});

test.each(TRANSPORTS)('the first event of a call over %s is its first report of progress', async (transport) => {
  const report = await bench(referenceServer(), transport, {
    call: { tool: 'progress', arguments: { steps: 4, ms: 3 } },
  });
  const { firstEvent, uncorrected } = report.scenarios[0]?.phases[0] ?? {};
  expect(firstEvent?.count).toBe(uncorrected?.count);
  expect(firstEvent?.mean).toBeLessThan(uncorrected?.mean ?? 0);
  expect(report.metrics['first_event_duration']).toBeDefined();
});

test.each(TRANSPORTS)('the first event over %s is the answer where nothing else comes', async (transport) => {
  const report = await bench(referenceServer(), transport);
  const { firstEvent, uncorrected } = report.scenarios[0]?.phases[0] ?? {};
  expect(firstEvent?.count).toBe(uncorrected?.count);
  expect(firstEvent?.mean).toBeLessThanOrEqual(uncorrected?.mean ?? 0);
});

test.each(['stdio', 'streamable-http'] as const)(
  'a server that ends during the run over %s fails',
  async (transport) => {
    let calls = 0;
    const mortal = honest({
      dies: (message) => {
        if (message['method'] === 'tools/call') calls += 1;
        return calls > 200;
      },
    });
    const report = await bench(mortal, transport);
    expect(report).toMatchObject({ outcome: 'failed', reason: 'The server ended during the run.' });
    expect(BENCH_REPORTERS.junit(report)).toContain('message="The server ended during the run."');
  },
);

test('a tool that fails when it is tried is quoted', async () => {
  const broken = honest({
    toClient: (message, { request }) =>
      request?.['method'] === 'tools/call'
        ? { ...message, result: { content: [{ type: 'text', text: 'No browser is installed.' }], isError: true } }
        : message,
  });
  const report = await bench(broken, 'stdio', { era: 'legacy' });
  expect(report).toMatchObject({
    outcome: 'failed',
    call: { note: 'The tool failed when it was tried: No browser is installed.' },
  });
});

test('a tool whose calls are refused by HTTP is named, with the status', async () => {
  const refusing = honest({
    http: {
      answer: ({ body }) => (body.includes('"tools/call"') ? { status: 500, headers: {}, body: 'Oops' } : undefined),
    },
  });
  const report = await bench(refusing, 'streamable-http');
  expect(report).toMatchObject({ outcome: 'not-examined', reason: expect.stringContaining('"echo" cannot be called') });
  expect(report.reason).toContain('500');
});

const STREAMS: Plan = {
  scenarios: ['streams'],
  call: { tool: 'progress', arguments: { steps: 4, ms: 1 } },
  concurrency: 3,
  seconds: 0.5,
};

describe('streams that are held', () => {
  test('are counted, cut and resumed', async () => {
    const report = await bench(referenceServer(), 'streamable-http', { ...STREAMS, era: 'legacy' });
    expect(report.scenarios[0]?.summary).toContain('5 of 5 cut streams resumed, 0 events lost');
    expect(report.metrics).toMatchObject({
      streams: { count: 3, rate: 1 },
      stream_ended: { count: 0 },
      stream_lost: { count: 0 },
      resumption_failed: { count: 0 },
      events_lost: { count: 0 },
    });
    expect(report.metrics['stream_gap']?.['max']).toBeGreaterThan(0);
    expect([report.outcome, report.violations]).toEqual(['passed', []]);
  });

  test.each([
    ['sse', 'legacy', 'This transport has no resumption.'],
    ['streamable-http', 'modern', 'The modern era has no resumption.'],
  ] as const)('are held over %s in the %s era, where nothing can be resumed', async (transport, era, why) => {
    const report = await bench(referenceServer(), transport, { ...STREAMS, era });
    expect(report.scenarios[0]?.summary).toContain(`resumption not tried: ${why}`);
    expect(report.metrics).toMatchObject({ streams: { count: 3 }, stream_lost: { count: 0 } });
    expect(report.outcome).toBe('passed');
  });

  test('are none over stdio', async () => {
    const report = await bench(referenceServer(), 'stdio', STREAMS);
    expect(report.scenarios[0]?.skipped).toBe('A program has no event streams.');
  });

  test.each(STREAM_MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s is found', async (_name, mutant) => {
    const report = await bench(mutantServer(mutant), 'streamable-http', { ...STREAMS, era: 'legacy', requestMs: 400 });
    const failed = report.thresholds.filter(({ verdict }) => verdict === 'fail').map(({ metric }) => metric);
    expect(failed).toContain(mutant.kills);
    expect(report.outcome).toBe('failed');
  });
});

describe('thresholds', () => {
  test('decide, and one that was not measured makes the run incomplete', async () => {
    const run = (thresholds: Plan['thresholds']) => bench(referenceServer(), 'stdio', { thresholds });
    expect((await run({ call_failed: ['rate==0'], calls: ['count>0'] })).outcome).toBe('passed');
    const failed = await run({ call_duration: ['min<0'] });
    expect(failed.outcome).toBe('failed');
    expect(failed.thresholds.at(-1)).toMatchObject({ verdict: 'fail', source: 'target' });
    expect((await run({ recovery: ['value<1000'] })).outcome).toBe('incomplete');
  });
});

const cells = LOAD_MUTANTS.flatMap((mutant) =>
  (['stdio', 'streamable-http', 'sse'] as const)
    .filter((transport) => mutant.transports?.includes(transport) ?? true)
    .map((transport) => [mutant.name, transport, mutant] as const),
);

test('a server that does not survive its first calls is measured no further', async () => {
  const mutant = LOAD_MUTANTS.find(({ kills }) => kills === 'first-calls');
  if (mutant === undefined) throw new Error('The mutant is missing.');
  const report = await bench(mutantServer(mutant), 'streamable-http', {
    scenarios: ['first-calls', 'steady'],
    requestMs: 1_500,
  });
  expect(report.scenarios.map(({ scenario }) => scenario)).toEqual(['first-calls']);
  expect(report.call).toMatchObject({ tool: 'echo', note: expect.stringContaining('nothing else was measured') });
  expect(report.outcome).toBe('failed');
});

describe('a server that is wrong only under load', { timeout: 60_000 }, () => {
  test.each(cells)('%s is found over %s', async (_name, transport, mutant) => {
    const own = mutant.target?.['load'] as Plan | undefined;
    if (mutant.kills === 'first-calls') {
      const report = await bench(mutantServer(mutant), transport, {
        scenarios: ['first-calls'],
        requestMs: 1_500,
      });
      expect(report.thresholds).toMatchObject([{ metric: 'first_calls_failed', source: 'built-in', verdict: 'fail' }]);
      expect(report.outcome).toBe('failed');
      return;
    }
    // On a busy machine few calls are open at once, and answers are late: then it takes longer.
    let report = await bench(mutantServer(mutant), transport, { ...own, requestMs: 700, seconds: 0.25 });
    for (const seconds of [2, 5]) {
      if (report.violations.some(({ kind }) => kind === mutant.kills)) break;
      report = await bench(mutantServer(mutant), transport, { ...own, requestMs: 3_000, seconds });
    }
    expect(report.violations.map(({ kind }) => kind)).toContain(mutant.kills);
    expect(report.outcome).toBe('failed');
  });
});
