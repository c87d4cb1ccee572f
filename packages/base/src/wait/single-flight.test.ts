import { describe, expect, it } from 'vitest';
import { deferred } from './deferred.js';
import { SingleFlight } from './single-flight.js';
import { abortable } from './abortable.js';

const never = new Promise<never>(() => undefined);

describe('a single flight', () => {
  it('does the work once for all who come meanwhile, and again afterwards', async () => {
    const flights = new SingleFlight<number>();
    let started = 0;
    const work = async (): Promise<number> => (started += 1);
    expect(await Promise.all([flights.run('k', work), flights.run('k', work)])).toEqual([1, 1]);
    expect(await flights.run('k', work)).toBe(2);
    expect(await Promise.all([flights.run('x', work), flights.run('y', work)])).toEqual([3, 4]);
  });

  it('tells all of a failure, and tries again for the next', async () => {
    const flights = new SingleFlight<number>();
    const failing = (): Promise<number> => Promise.reject(new Error('no'));
    const outcomes = await Promise.allSettled([flights.run('k', failing), flights.run('k', failing)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flights.run('k', async () => 1)).toBe(1);
  });

  it('finishes what everybody left, and newcomers join it', async () => {
    const flights = new SingleFlight<string>();
    const gate = deferred<string>();
    const leaving = new AbortController();
    let seen: AbortSignal | undefined;
    const left = flights.run(
      'k',
      (signal) => {
        seen = signal;
        return gate.promise;
      },
      leaving.signal,
    );
    leaving.abort('gone');
    await expect(left).rejects.toBe('gone');
    expect(seen?.aborted).toBe(false);
    const joined = flights.run('k', async () => 'another');
    gate.resolve('first');
    expect(await joined).toBe('first');
  });

  it('aborts what everybody left when that is safe, and starts anew for who comes after', async () => {
    const flights = new SingleFlight<string>({ abandoned: 'abort', cancelled: () => 'nobody waits' });
    const [first, second] = [new AbortController(), new AbortController()];
    let seen: AbortSignal | undefined;
    const start = (signal: AbortSignal): Promise<string> => {
      seen = signal;
      return abortable(never, signal);
    };
    const waiting = [flights.run('k', start, first.signal), flights.run('k', start, second.signal)];
    first.abort();
    await expect(waiting[0]).rejects.toBe(first.signal.reason);
    expect(seen?.aborted).toBe(false);
    second.abort();
    await expect(waiting[1]).rejects.toBe(second.signal.reason);
    expect(seen?.reason).toBe('nobody waits');
    expect(await flights.run('k', async () => 'new')).toBe('new');
  });

  it('gives a caller who leaves the failure that is wanted', async () => {
    const flights = new SingleFlight<never>({ failure: () => 'left' });
    await expect(flights.run('k', () => never, AbortSignal.abort())).rejects.toBe('left');
  });

  it('waits for and aborts what is under way', async () => {
    const flights = new SingleFlight<string>({ cancelled: () => 'stopped' });
    const gate = deferred<string>();
    const first = flights.run('k', () => gate.promise);
    const settled = flights.settled('k');
    gate.resolve('done');
    await settled;
    expect(await first).toBe('done');
    await flights.settled('k');
    await flights.abort('k');
    const endless = (signal: AbortSignal): Promise<string> => abortable(never, signal);
    const one = flights.run('k', endless).catch((thrown: unknown) => thrown);
    await flights.abort('k');
    expect(await one).toBe('stopped');
    const several = ['a', 'b'].map((key) => flights.run(key, endless).catch((thrown: unknown) => thrown));
    await flights.abortAll();
    expect(await Promise.all(several)).toEqual(['stopped', 'stopped']);
  });
});
