import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settledWithin } from './settled-within.js';

describe('settledWithin', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('says whether it was in time, and leaves no timer', async () => {
    expect(await settledWithin(10, Promise.resolve())).toBe(true);
    const late = settledWithin(10, new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(10);
    expect(await late).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('passes a failure on', async () => {
    await expect(settledWithin(10, Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });
});
