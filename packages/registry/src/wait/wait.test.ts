import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { deferred } from '../test-support/scripted-reach.js';
import { abortable } from './abortable.js';
import { LimitedQueue } from './limited-queue.js';
import { SharedRuns } from './shared-runs.js';
import { withDeadline } from './with-deadline.js';

const late = (): PlugboardError => new PlugboardError('UPSTREAM_TIMEOUT', 'Too late.');
const never = new Promise<never>(() => undefined);

describe('abortable', () => {
  it('hands on what the work came to', async () => {
    const { signal } = new AbortController();
    await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(abortable(Promise.reject(late()), signal)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });

  it('ends with the reason of the abort, or as cancelled', async () => {
    await expect(abortable(never, AbortSignal.abort(late()))).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await expect(abortable(never, AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('withDeadline', () => {
  it('aborts the work and stops waiting when time is up', async () => {
    let seen: AbortSignal | undefined;
    const work = withDeadline({ ms: 5, expired: late }, (signal) => {
      seen = signal;
      return never;
    });
    await expect(work).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(seen?.aborted).toBe(true);
  });

  it('ends with the signal of the caller, also when that came before', async () => {
    const leaving = new AbortController();
    const work = withDeadline({ ms: 60_000, signal: leaving.signal, expired: late }, () => never);
    leaving.abort();
    await expect(work).rejects.toMatchObject({ code: 'CANCELLED' });
    const after = withDeadline({ ms: 60_000, signal: leaving.signal, expired: late }, () => never);
    await expect(after).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('SharedRuns', () => {
  it('runs once for all who come meanwhile, and again afterwards', async () => {
    const runs = new SharedRuns<number>();
    let started = 0;
    const work = async (): Promise<number> => (started += 1);
    expect(await Promise.all([runs.join('k', work), runs.join('k', work)])).toEqual([1, 1]);
    expect(await runs.join('k', work)).toBe(2);
    expect(await Promise.all([runs.join('x', work), runs.join('y', work)])).toEqual([3, 4]);
  });

  it('starts anew for who comes after everybody left', async () => {
    const runs = new SharedRuns<string>();
    const leaving = new AbortController();
    const left = runs.join('k', () => never, leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await runs.join('k', async () => 'new')).toBe('new');
  });

  it('waits for and aborts what is under way', async () => {
    const runs = new SharedRuns<string>();
    const gate = deferred<string>();
    const first = runs.join('k', () => gate.promise);
    const settled = runs.settled('k');
    gate.resolve('done');
    await settled;
    expect(await first).toBe('done');
    await runs.settled('k');
    await runs.abort('k');
    const endless = runs.join('k', (signal) => abortable(never, signal)).catch((thrown: unknown) => thrown);
    await runs.abortAll();
    expect(await endless).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('LimitedQueue', () => {
  it('never runs more at a time than it may, and everything in the end', async () => {
    const queue = new LimitedQueue(2);
    let [running, most] = [0, 0];
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) =>
        queue.run(async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          if (index % 3 === 0) throw late();
          return index;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(6);
  });
});
