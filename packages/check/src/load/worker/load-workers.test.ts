import { PassThrough } from 'node:stream';
import type { BenchReport } from '@plugboard/contract';
import { LOAD_MUTANTS, memoryNetwork, mutantServer, referenceServer, type MutantServer } from '@plugboard/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Child, ExitStatus } from '../../connection/child.js';
import type { Network } from '../../connection/network.js';
import { checkTarget, type CheckTargetInput } from '../../target/target.js';
import { Canaries } from '../call/canary.js';
import { runBench, type BenchEvent } from '../run-bench.js';
import { figuresOfAll, momentOfAll, shares } from './load-workers.js';
import { serveLoadWorker } from './serve-worker.js';

/** A worker in this process, behind two pipes. */
const workerIn = (network: Network): Child => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const killed = new AbortController();
  const served = serveLoadWorker({ input: stdin, output: stdout, signal: killed.signal }, { network });
  const exited = served.then((): ExitStatus => ({ code: 0, signal: null }));
  return { pid: undefined, stdin, stdout, stderr: undefined, exited, kill: () => killed.abort() };
};

const endedWorker = (): Child => ({
  ...workerIn({ admit: () => undefined, lookup: () => undefined }),
  exited: Promise.resolve({ code: 3, signal: null }),
});

interface Given {
  readonly load?: CheckTargetInput['load'];
  readonly launchWorker?: (network: Network) => Child;
  readonly onEvent?: (event: BenchEvent) => void;
  readonly signal?: AbortSignal;
}

const bench = async (
  server: MutantServer,
  { load, launchWorker = workerIn, onEvent, signal }: Given = {},
): Promise<{ readonly report: BenchReport; readonly started: number }> => {
  onTestFinished(() => server.close());
  const memory = memoryNetwork();
  const { url } = await server.listenHttp(memory);
  const network: Network = {
    admit: () => undefined,
    lookup: () => undefined,
    connect: (port, host) => memory.connect(port, host),
  };
  let started = 0;
  const plan = {
    call: { tool: 'echo' },
    scenarios: ['steady' as const],
    concurrency: 8,
    workers: 3,
    seconds: 0.4,
    warmUpSeconds: 0,
    ...load,
  };
  const report = await runBench(checkTarget.parse({ url, budgets: { requestMs: 2_000 }, load: plan }), {
    version: 'test',
    network,
    launchWorker: () => {
      started += 1;
      return launchWorker(network);
    },
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { report, started };
};

describe('several workers', () => {
  test('share the callers, and their histograms become one', async () => {
    const events: BenchEvent[] = [];
    const server = referenceServer();
    const { report, started } = await bench(server, { onEvent: (event) => void events.push(event) });
    expect([report.outcome, report.reason, report.violations, started]).toEqual(['passed', undefined, [], 3]);
    const [steady] = report.scenarios[0]?.phases ?? [];
    expect(steady).toMatchObject({ concurrency: 8, failed: 0 });
    expect(steady?.uncorrected.count).toBe(steady?.calls);
    expect(steady?.slices.reduce((sum, { calls }) => sum + calls, 0)).toBe(steady?.calls);
    // Two more calls find out whether the tool gives its text back, and whether it also gives back that of others.
    expect(server.server.counters.executed('echo')).toBe((steady?.calls ?? 0) + 2);
    expect(report.generator?.workers).toBe(3);
    expect(report.metrics['connections']).toEqual({ rate: 1, count: 8 });
    const last = events.findLast((event) => event.type === 'progress');
    expect(last).toMatchObject({ callers: 8 });
  });

  test('share an arrival rate', async () => {
    const { report } = await bench(referenceServer(), { load: { rate: 90, seconds: 1 } });
    expect(report.scenarios[0]?.phases[0]).toMatchObject({ loop: 'open', rate: 90, calls: 90, failed: 0 });
  });

  test('find what is wrong, also between callers of different workers', async () => {
    const mutant = LOAD_MUTANTS.find(({ kills }) => kills === 'foreign-canary');
    if (mutant === undefined) throw new Error('The mutant is missing.');
    const { report } = await bench(mutantServer(mutant), { load: { concurrency: 6 } });
    expect(report.violations.map(({ kind }) => kind)).toEqual(['foreign-canary']);
    expect(report.outcome).toBe('failed');
  });

  test('know the canaries of each other', () => {
    const [one, two] = [new Canaries('run', '1-'), new Canaries('run', '2-')];
    const [own, foreign] = [one.next(), two.next()];
    expect(one.foreignIn(`{"text":"${own}"}`, own)).toBeUndefined();
    expect(one.foreignIn(`{"text":"${foreign}"}`, own)).toBe(foreign);
  });

  test('are not needed for fewer callers than workers', async () => {
    const { report } = await bench(referenceServer(), {
      load: { scenarios: ['ramp'], maxConcurrency: 4, stepSeconds: 0.1 },
    });
    const steps = report.scenarios[0]?.phases.map(({ concurrency, failed }) => [concurrency, failed]) ?? [];
    expect(steps.length).toBeGreaterThan(0);
    // A machine that stalls ends the ramp early.
    const all = [1, 2, 4].map((callers) => [callers, 0]);
    expect(steps).toEqual(all.slice(0, steps.length));
  });

  test('stop in the middle of a phase when the run is cancelled, and give what they have', async () => {
    const cancelled = new AbortController();
    const { report } = await bench(referenceServer(), {
      load: { scenarios: ['steady', 'ramp'], seconds: 30, rate: 90 },
      signal: cancelled.signal,
      onEvent: (event) => {
        if (event.type === 'progress' && event.calls > 0) cancelled.abort();
      },
    });
    expect(report).toMatchObject({ outcome: 'not-examined', reason: 'The run was cancelled.', metrics: {} });
    const [steady, ...others] = report.scenarios;
    expect([steady?.summary, others]).toEqual([expect.stringMatching(/^cancelled after \d+ calls$/u), []]);
    expect(steady?.phases[0]).toMatchObject({ name: 'steady', failed: 0 });
    expect(steady?.phases[0]?.calls).toBeGreaterThan(0);
  });

  test('that end stop the run with a reason', async () => {
    const { report } = await bench(referenceServer(), { launchWorker: endedWorker });
    expect(report).toMatchObject({ outcome: 'not-examined', reason: 'A worker of the generator ended: exit code 3.' });
  });

  test('are refused for a program', async () => {
    const server = referenceServer();
    onTestFinished(() => server.close());
    const target = checkTarget.parse({ command: ['in-process'], load: { workers: 2, call: { tool: 'echo' } } });
    const report = await runBench(target, {
      version: 'test',
      launch: () => server.launch(),
      launchWorker: endedWorker,
    });
    expect(report).toMatchObject({ outcome: 'not-examined', reason: 'Several workers need a server behind a URL.' });
  });
});

test('what is whole is shared out evenly', () => {
  expect(shares(8, 3)).toEqual([3, 3, 2]);
  expect(shares(2, 3)).toEqual([1, 1, 0]);
});

test('counts are added, and the largest percentile is shown', () => {
  const one = { calls: 2, failed: 1, errors: { timeout: 1 }, p50: 1, p95: 2, p99: 9 };
  const two = { calls: 3, failed: 2, errors: { timeout: 1, 'HTTP 500': 1 }, p50: 3, p95: 4, p99: 5 };
  expect(momentOfAll([one, two])).toEqual({
    calls: 5,
    failed: 3,
    errors: { timeout: 2, 'HTTP 500': 1 },
    p50: 3,
    p95: 4,
    p99: 9,
  });
});

test('the cost of all processes is added, and the busiest decides', () => {
  const calm = { cpuMicrosecondsPerCall: 10, utilisation: 0.2, loopDelayP99: 1, saturated: false };
  const busy = { cpuMicrosecondsPerCall: 30, utilisation: 0.95, loopDelayP99: 4, saturated: true };
  expect(figuresOfAll(calm, [calm, busy])).toEqual({
    cpuMicrosecondsPerCall: 50,
    utilisation: 0.95,
    loopDelayP99: 4,
    workers: 2,
    saturated: true,
  });
});
