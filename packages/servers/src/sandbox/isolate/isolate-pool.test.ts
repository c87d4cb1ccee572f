import { describe, expect, it } from 'vitest';
import type { IsolateJob, RunOutcome } from './isolate-job.js';
import { DEFAULT_LIMITS } from './isolate-limits.js';
import { IsolatePool, PoolBusyError } from './isolate-pool.js';

const job = (code: string): IsolateJob => ({
  code,
  language: 'javascript',
  limits: DEFAULT_LIMITS,
  files: [],
  keepState: false,
});
const usage = { cpuMs: 0, memoryBytes: 0 };
const done: RunOutcome = { kind: 'completed', value: { type: 'undefined' }, usage, written: [], removed: [] };

/** Workers whose jobs end when the test says so. */
const rig = (size: number, maxWaiting: number) => {
  const started: { readonly code: string; readonly worker: number; readonly finish: (outcome: RunOutcome) => void }[] =
    [];
  const ended: number[] = [];
  const arrivals: (() => void)[] = [];
  let workers = 0;
  const pool = new IsolatePool({
    size,
    maxWaiting,
    openWorker: () => {
      workers += 1;
      const worker = workers;
      return {
        run: ({ code }) =>
          new Promise((finish) => {
            started.push({ code, worker, finish });
            arrivals.shift()?.();
          }),
        end: () => Promise.resolve(void ended.push(worker)),
      };
    },
  });
  const arrival = (): Promise<void> => new Promise((resolve) => arrivals.push(resolve));
  return { pool, started, ended, arrival };
};

describe('the pool', () => {
  it('lets jobs wait for their turn, in order, and uses workers again', async () => {
    const { pool, started, arrival } = rig(1, 2);
    const first = arrival();
    const runs = ['a', 'b', 'c'].map((code) => pool.run(job(code)));
    await first;
    expect([pool.running, pool.waiting]).toEqual([1, 2]);
    for (const index of [0, 1, 2]) {
      const next = index < 2 ? arrival() : Promise.resolve();
      started[index]?.finish(done);
      await next;
    }
    await Promise.all(runs);
    expect(started.map(({ code, worker }) => [code, worker])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
  });

  it('refuses more than may wait', async () => {
    const { pool, started, arrival } = rig(1, 0);
    const first = arrival();
    const running = pool.run(job('a'));
    await first;
    await expect(pool.run(job('b'))).rejects.toBeInstanceOf(PoolBusyError);
    started[0]?.finish(done);
    await running;
  });

  it('lets a job give up while it waits, or before', async () => {
    const { pool, started, arrival } = rig(1, 5);
    const first = arrival();
    const running = pool.run(job('a'));
    await first;
    const stop = new AbortController();
    const waiting = pool.run(job('b'), { signal: stop.signal });
    stop.abort();
    expect(await waiting).toMatchObject({ kind: 'stopped', code: 'CANCELLED' });
    expect(await pool.run(job('c'), { signal: AbortSignal.abort() })).toMatchObject({ code: 'CANCELLED' });
    started[0]?.finish(done);
    await running;
    expect([started.length, pool.running, pool.waiting]).toEqual([1, 0, 0]);
  });

  it.each<[string, RunOutcome]>([
    ['was stopped', { kind: 'stopped', code: 'CPU_LIMIT', usage }],
    ['took much memory', { ...done, usage: { cpuMs: 0, memoryBytes: 1e9 } }],
  ])('throws a worker away that %s', async (_why, outcome) => {
    const { pool, started, ended, arrival } = rig(1, 0);
    for (const index of [0, 1]) {
      const next = arrival();
      const running = pool.run(job('a'));
      await next;
      started[index]?.finish(outcome);
      await running;
    }
    expect([started.map(({ worker }) => worker), ended]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('ends its workers when it closes, and runs nothing after', async () => {
    const { pool, started, ended, arrival } = rig(1, 0);
    const first = arrival();
    const running = pool.run(job('a'));
    await first;
    started[0]?.finish(done);
    await running;
    await pool.close();
    expect(ended).toEqual([1]);
    expect(await pool.run(job('b'))).toMatchObject({ code: 'CANCELLED' });
  });
});
