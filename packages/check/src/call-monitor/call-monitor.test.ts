import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callFigures } from './call-figures.js';
import { CallMonitor } from './call-monitor.js';

const of = (durations: readonly number[]) => durations.map((durationMs) => ({ durationMs }));

describe('figures', () => {
  test('of 1 to 100 are known', () => {
    const shuffled = Array.from({ length: 100 }, (_, index) => ((index * 37) % 100) + 1);
    expect(callFigures(of(shuffled))).toEqual({
      count: 100,
      failed: 0,
      success_rate: 1,
      mean_ms: 50.5,
      min_ms: 1,
      max_ms: 100,
      p50_ms: 50,
      p95_ms: 95,
      p99_ms: 99,
      errors: {},
    });
  });

  test('count failures by their code, and leave their time out', () => {
    const calls = [{ durationMs: 10 }, { durationMs: 9_000, error: 'TIMEOUT' }, { durationMs: 1, error: 'TIMEOUT' }];
    expect(callFigures(calls)).toMatchObject({
      count: 3,
      failed: 2,
      success_rate: 1 / 3,
      max_ms: 10,
      errors: { TIMEOUT: 2 },
    });
    expect(callFigures([])).toMatchObject({ count: 0, success_rate: null, p99_ms: 0 });
  });

  test('are in order for any calls', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), (durations) => {
        const { min_ms, p50_ms, p95_ms, p99_ms, max_ms, mean_ms } = callFigures(of(durations));
        expect([min_ms, p50_ms, p95_ms, p99_ms, max_ms]).toEqual(
          [min_ms, p50_ms, p95_ms, p99_ms, max_ms].toSorted((a, b) => a - b),
        );
        expect(mean_ms).toBeGreaterThanOrEqual(min_ms - 1e-6);
        expect(durations.filter((one) => one <= p95_ms).length).toBeGreaterThanOrEqual(0.95 * durations.length);
      }),
    );
  });
});

describe('a monitor of calls', () => {
  test('keeps methods and tools apart', () => {
    const monitor = new CallMonitor();
    monitor.record({ method: 'tools/call', tool: 'echo', durationMs: 5 });
    monitor.record({ method: 'tools/call', tool: 'add', durationMs: 7, error: 'TIMEOUT' });
    monitor.record({ method: 'tools/list', durationMs: 1 });
    expect(monitor.summary().map(({ method, tool, count, failed }) => [method, tool, count, failed])).toEqual([
      ['tools/call', 'add', 1, 1],
      ['tools/call', 'echo', 1, 0],
      ['tools/list', undefined, 1, 0],
    ]);
  });

  test('forgets what is older than its window', () => {
    let now = 0;
    const monitor = new CallMonitor({ windowMs: 1_000, now: () => now });
    monitor.record({ method: 'ping', durationMs: 1 });
    now = 900;
    monitor.record({ method: 'ping', durationMs: 2 });
    now = 1_500;
    expect(monitor.summary()[0]).toMatchObject({ count: 1, max_ms: 2 });
    now = 3_000;
    expect(monitor.summary()).toEqual([]);
  });

  test('is bounded in calls and in series', () => {
    const monitor = new CallMonitor({ maxCalls: 10, maxSeries: 3 });
    for (let index = 0; index < 1_000; index += 1) {
      monitor.record({ method: 'ping', durationMs: index });
      monitor.record({ method: `m${index}`, durationMs: 1 });
    }
    const summary = monitor.summary();
    expect(summary.find(({ method }) => method === 'ping')).toMatchObject({ count: 10, min_ms: 990 });
    expect(summary.map(({ method }) => method)).toEqual(['m0', 'm1', 'other', 'ping']);
  });

  test('measures a call and passes on its outcome', async () => {
    const monitor = new CallMonitor();
    expect(await monitor.measure('tools/call', async () => 42, { tool: 'answer' })).toBe(42);
    const refusal = Object.assign(new Error('no'), { code: 'UPSTREAM_REFUSED' });
    await expect(monitor.measure('tools/call', () => Promise.reject(refusal), { tool: 'answer' })).rejects.toBe(
      refusal,
    );
    expect(monitor.summary()).toMatchObject([{ count: 2, failed: 1, errors: { UPSTREAM_REFUSED: 1 } }]);
  });
});
