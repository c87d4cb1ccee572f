import { type BenchRun, benchStart, LOCAL_PRINCIPAL, PlugboardError } from '@plugboard/contract';
import type { BenchRunStore, KeptBenchRun } from '@plugboard/registry';
import { expect, it } from 'vitest';
import { quietLogger } from '../log/quiet-logger.js';
import { BenchDesk, type BenchDeskOptions } from './bench-desk.js';
import { runIdOf } from './run-store.js';

class MemoryRuns implements BenchRunStore {
  readonly kept = new Map<string, KeptBenchRun>();
  put = async (kept: KeptBenchRun): Promise<void> => void this.kept.set(kept.run.id, structuredClone(kept));
  get = async (id: string): Promise<KeptBenchRun | undefined> => this.kept.get(id);
  list = async (): Promise<readonly KeptBenchRun[]> => [...this.kept.values()].toReversed();
  delete = async (id: string): Promise<void> => void this.kept.delete(id);
}

const deskOn = (options: Partial<BenchDeskOptions> = {}) => {
  const runs = new MemoryRuns();
  const desk = new BenchDesk({
    runs,
    holder: '0000000a',
    isThere: () => false,
    log: quietLogger,
    network: () => ({ admit: () => undefined, lookup: () => undefined }),
    baseEnv: {},
    prepare: (target) => Promise.resolve({ target, secrets: [] }),
    ...options,
  });
  return { desk, runs };
};

const START = benchStart.parse({ name: 'echo', tool: 'echo', seconds: 1, rate: 20, concurrency: 2 });

it('bounds what can be asked for', () => {
  for (const wrong of [
    { seconds: 61 },
    { rate: 201 },
    { concurrency: 17 },
    { rate: 0 },
    { workers: 2 },
    { name: '' },
  ]) {
    expect(benchStart.safeParse({ name: 'echo', ...wrong }).success).toBe(false);
  }
  expect(benchStart.parse({ name: 'echo' })).toEqual({ name: 'echo', seconds: 10, rate: 20, concurrency: 4 });
});

it('a run of a process that ended is interrupted, and that of a living one goes on', async () => {
  let isThere = true;
  const { desk, runs } = deskOn({ isThere: () => isThere });
  const run: BenchRun = {
    id: runIdOf('2026-01-04T00:00:00.000Z', '0000000b11111111'),
    state: 'running',
    target: { label: 'x' },
    created_at: '2026-01-04T00:00:00.000Z',
    seconds: 10,
    rate: 20,
    concurrency: 4,
    done: 0.5,
  };
  await runs.put({ holder: '0000000b', run });
  expect(await desk.list({})).toEqual([run]);
  await expect(desk.report(run.id, 'json')).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(desk.cancel(run.id)).rejects.toMatchObject({ code: 'CONFLICT' });
  isThere = false;
  expect(await desk.get(run.id)).toMatchObject({ state: 'finished', outcome: 'incomplete' });
  await expect(desk.report(run.id, 'json')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await desk.delete(run.id);
  await expect(desk.get(run.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('refuses what may not be reached before anything is kept', async () => {
  const { desk, runs } = deskOn({ prepare: () => Promise.reject(new PlugboardError('SERVER_NOT_FOUND', 'No.')) });
  await expect(desk.start(START, LOCAL_PRINCIPAL)).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
  expect(runs.kept.size).toBe(0);
});

it('keeps the limit of waiting runs when many are asked for at once', async () => {
  let proceed = (): void => undefined;
  const prepared = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const { desk, runs } = deskOn({
    prepare: async (target) => {
      await prepared;
      return { target, secrets: [] };
    },
  });
  const asked = Promise.allSettled(Array.from({ length: 20 }, () => desk.start(START, LOCAL_PRINCIPAL)));
  proceed();
  const refused = (await asked).filter(({ status }) => status === 'rejected');
  await desk.close();
  expect(refused.map((one) => (one as PromiseRejectedResult).reason)).toMatchObject(
    Array.from({ length: 9 }, () => ({ code: 'RATE_LIMITED' })),
  );
  expect(runs.kept.size).toBe(11);
});

it('ends a run that breaks in the hub, and begins the next one', async () => {
  const { desk } = deskOn({
    network: () => {
      throw new Error('broken');
    },
  });
  const runs = [await desk.start(START, LOCAL_PRINCIPAL), await desk.start(START, LOCAL_PRINCIPAL)];
  for (const { id } of runs) {
    await expect
      .poll(() => desk.get(id))
      .toMatchObject({
        state: 'finished',
        outcome: 'incomplete',
        reason: 'The hub failed while it carried out the run. Its log has the error.',
      });
  }
  await desk.close();
});
