import type { BenchReport } from '@plugboard/contract';
import {
  LOAD_MUTANTS,
  memoryNetwork,
  mutantServer,
  referenceServer,
  STREAM_MUTANTS,
  type MutantServer,
} from '@plugboard/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
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
