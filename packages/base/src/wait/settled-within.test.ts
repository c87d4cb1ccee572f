import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { settledWithin } from './settled-within.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells whether it settled in time, and leaves no timer', async () => {
  expect(await settledWithin(10, Promise.resolve('any'))).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  const late = settledWithin(10, new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(10);
  expect(await late).toBe(false);
});

it('passes a failure on', async () => {
  await expect(settledWithin(10, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});
