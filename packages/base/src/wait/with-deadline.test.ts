import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withDeadline } from './with-deadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);
const expired = (): Error => new Error('too late');

it('gives what the work came to, and leaves no timer', async () => {
  await expect(withDeadline({ ms: 5, expired }, async () => 1)).resolves.toBe(1);
  await expect(withDeadline({ ms: 5, expired }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
});

it('aborts the work and stops waiting when time is up', async () => {
  let seen: AbortSignal | undefined;
  const work = withDeadline({ ms: 5, expired }, (signal) => {
    seen = signal;
    return never;
  });
  const outcome = work.catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(5);
  expect(await outcome).toMatchObject({ message: 'too late' });
  expect(seen?.aborted).toBe(true);
});

it('ends with the signal of the caller, also when that came before', async () => {
  const leaving = new AbortController();
  const options = { ms: 60_000, signal: leaving.signal, expired };
  const work = withDeadline(options, () => never);
  leaving.abort('left');
  await expect(work).rejects.toBe('left');
  await expect(withDeadline(options, () => never)).rejects.toBe('left');
  await expect(withDeadline({ ...options, failure: () => 'instead' }, () => never)).rejects.toBe('instead');
  expect(vi.getTimerCount()).toBe(0);
});
