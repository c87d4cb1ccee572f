import { describe, expect, test } from 'vitest';
import type { Caller } from './caller.js';
import { closedLoop } from './closed-loop.js';
import { openLoop } from './open-loop.js';
import { Tally, type Recorded } from './tally.js';

const { signal } = new AbortController();

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Someone who takes this long for each call. */
const caller = (work: (nth: number) => number, error?: string): Caller => {
  let nth = 0;
  const call = async (dueAt?: number): Promise<Recorded> => {
    nth += 1;
    const sentAt = performance.now();
    await pause(work(nth));
    return { dueAt: dueAt ?? sentAt, sentAt, doneAt: performance.now(), error };
  };
  return { call } as Caller;
};

const tally = (loop: 'closed' | 'open') =>
  new Tally({ name: 'x', loop, concurrency: 1, sliceMs: 100 }, performance.now());

describe('a server that stands still', () => {
  const stalls = (nth: number): number => (nth === 20 ? 300 : 1);

  test('looks well to a naive closed loop, and bad when that is corrected', async () => {
    const counted = tally('closed');
    let [now, nth] = [0, 0];
    const call = async (): Promise<Recorded> => {
      nth += 1;
      const sentAt = now;
      now += stalls(nth);
      return { dueAt: sentAt, sentAt, doneAt: now };
    };
    await closedLoop([{ call } as Caller], counted, { ms: 60_000, calls: 120, signal });
    const { latency, uncorrected } = counted.phase(performance.now());
    expect([uncorrected.p95, uncorrected.p99].every((naive) => naive < 1.01)).toBe(true);
    expect(latency.p95).toBeGreaterThan(250);
    expect(latency.p99).toBeGreaterThan(290);
  });

  test('looks bad to an open loop, because the calls that had to wait count', async () => {
    const counted = tally('open');
    await openLoop([caller(stalls)], counted, { rate: 200, ms: 500, signal, drainMs: 10_000 });
    const { latency, uncorrected, calls } = counted.phase(performance.now());
    expect(calls).toBe(100);
    expect(latency.p90).toBeGreaterThan(uncorrected.p90);
    expect(latency.p90).toBeGreaterThan(100);
  });
});

describe('loops', () => {
  test('count errors by their class, and do not rush after one', async () => {
    const counted = tally('closed');
    await closedLoop([caller(() => 0, 'timeout')], counted, { ms: 50, signal });
    const { errors, failed, calls } = counted.phase(performance.now());
    expect(errors).toEqual({ timeout: calls });
    expect(failed).toBe(calls);
    expect(calls).toBeLessThan(20);
  });

  test('count what could not be sent, or was not answered, in time', async () => {
    const counted = tally('open');
    const silent = { call: () => new Promise<Recorded>(() => undefined) } as unknown as Caller;
    await openLoop([silent], counted, { rate: 100, ms: 100, signal, drainMs: 1 });
    const { calls, errors } = counted.phase(performance.now());
    expect([calls, errors]).toEqual([10, { 'not sent': 9, 'not answered': 1 }]);
  });

  test('stop when they are told to', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    const counted = tally('open');
    await openLoop([caller(() => 1)], counted, { rate: 10, ms: 60_000, signal: stop.signal, drainMs: 60_000 });
    await closedLoop([caller(() => 1)], counted, { ms: 60_000, signal: stop.signal });
    expect(counted.calls).toBeLessThan(10);
  });
});

test('calls that are open when the run is cancelled are not waited for, and do not count', async () => {
  const cancelled = new AbortController();
  const counted = tally('closed');
  const call = (): Promise<Recorded> => {
    queueMicrotask(() => cancelled.abort());
    return new Promise(() => undefined);
  };
  await closedLoop([{ call } as Caller], counted, { ms: 60_000, signal: cancelled.signal });
  expect(counted.calls).toBe(0);
});
