import type { BenchRun, CheckRun } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.js';

const idOf = (second: number): string => `20260102T0304${String(second).padStart(5, '0')}Z-abc`;

const run = (second: number, members: Partial<CheckRun> = {}): CheckRun => ({
  id: idOf(second),
  state: 'running',
  target: { label: 'a server' },
  tier: 'smoke',
  created_at: '2026-01-02T03:04:00.000Z',
  done: 0,
  ...members,
});

/** What every store must do with runs of the referee. */
export const describeRunStore = (storeOf: () => Store): void => {
  describe('runs of the referee', () => {
    it('come back as they were last put in, the newest first', async () => {
      const { checkRuns } = storeOf();
      await checkRuns.put({ holder: 'a', run: run(1) });
      await checkRuns.put({ holder: 'b', run: run(2) });
      await checkRuns.put({ holder: 'a', run: run(1, { state: 'finished', outcome: 'passed', done: 3 }) });
      expect(await checkRuns.list({ limit: 10 })).toEqual([
        { holder: 'b', run: run(2) },
        { holder: 'a', run: run(1, { state: 'finished', outcome: 'passed', done: 3 }) },
      ]);
      expect((await checkRuns.list({ limit: 10, after: idOf(2) })).map((kept) => kept.run.id)).toEqual([idOf(1)]);
      expect(await checkRuns.get(idOf(2))).toEqual({ holder: 'b', run: run(2), report: undefined });
      await checkRuns.delete(idOf(2));
      expect(await checkRuns.get(idOf(2))).toBeUndefined();
    });

    it('are forgotten when there are many newer ones', async () => {
      const { checkRuns } = storeOf();
      for (let second = 1; second <= 202; second += 1) await checkRuns.put({ holder: 'a', run: run(second) });
      const kept = await checkRuns.list({ limit: 1000 });
      expect([kept.length, kept.at(-1)?.run.id]).toEqual([200, idOf(3)]);
    });

    it('are kept apart from benchmarks', async () => {
      const { benchRuns, checkRuns } = storeOf();
      const bench: BenchRun = {
        id: idOf(9),
        state: 'running',
        target: { label: 'a server' },
        seconds: 10,
        rate: 20,
        concurrency: 4,
        created_at: '2026-01-02T03:04:00.000Z',
        done: 0.5,
        figures: { calls: 100, failed: 1, calls_per_second: 20, p50: 1, p95: 2, p99: 3.5 },
      };
      await benchRuns.put({ holder: 'a', run: bench });
      expect(await benchRuns.list({ limit: 10 })).toEqual([{ holder: 'a', run: bench }]);
      expect(await checkRuns.get(bench.id)).toBeUndefined();
    });
  });
};
