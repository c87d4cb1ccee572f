import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OwnTime } from './own-time.js';

const never = new Promise<never>(() => undefined);

const state = (promise: Promise<unknown>): { ended: boolean } => {
  const seen = { ended: false };
  const end = (): void => {
    seen.ended = true;
  };
  promise.then(end, end);
  return seen;
};

describe('own time', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('a promise that settles in time is passed on', async () => {
    await expect(new OwnTime().within(Promise.resolve(7), { ms: 1_000, what: 'verdict' })).resolves.toBe(7);
    await expect(new OwnTime().within(Promise.reject(new Error('no')), { ms: 1_000, what: 'verdict' })).rejects.toThrow(
      'no',
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  test('one that does not is given up after its time', async () => {
    const waiting = new OwnTime().within(never, { ms: 1_000, what: 'verdict' });
    const [given] = await Promise.allSettled([waiting, vi.advanceTimersByTimeAsync(1_000)]);
    expect(given).toMatchObject({ status: 'rejected', reason: { message: 'No verdict within 1000 ms.' } });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a pause of the machine counts as little', async () => {
    const seen = state(new OwnTime().within(never, { ms: 1_000, what: 'verdict' }));
    // The clock goes on, and no timer runs.
    vi.setSystemTime(Date.now() + 60_000);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementationOnce(() => now + 60_000);
    await vi.advanceTimersByTimeAsync(200);
    expect(seen.ended).toBe(false);
  });

  test('what is done aside does not count', async () => {
    const time = new OwnTime();
    const seen = state(time.within(never, { ms: 1_000, what: 'verdict' }));
    let finish: () => void = () => undefined;
    const control = time.aside(() => new Promise<void>((resolve) => (finish = resolve)));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen.ended).toBe(false);
    finish();
    await control;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.ended).toBe(true);
  });
});
