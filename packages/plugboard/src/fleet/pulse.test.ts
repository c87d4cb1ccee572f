import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pulse } from './pulse.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;
const never = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));

describe('Pulse', () => {
  it('gives up all who wait for a process that answers nothing, once', async () => {
    const pulse = new Pulse({ ask: never });
    const givenUp: string[] = [];
    pulse.watch(() => void givenUp.push('one'));
    pulse.watch(() => void givenUp.push('two'));
    await vi.advanceTimersByTimeAsync(3000);
    expect(givenUp).toEqual([]);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(givenUp).toEqual(['one', 'two']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('counts what cannot be asked as silence', async () => {
    const pulse = new Pulse({ ask: () => Promise.reject(new Error('refused')) });
    const giveUp = vi.fn();
    pulse.watch(giveUp);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(giveUp).toHaveBeenCalledOnce();
  });

  it('waits for a slow call as long as the process answers', async () => {
    const ask = vi.fn(async () => undefined);
    const pulse = new Pulse({ ask });
    const giveUp = vi.fn();
    const end = pulse.watch(giveUp);
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(giveUp).not.toHaveBeenCalled();
    expect(ask).toHaveBeenCalled();
    end();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks nothing while answers to others arrive', async () => {
    const ask = vi.fn(never);
    const pulse = new Pulse({ ask });
    const giveUp = vi.fn();
    pulse.watch(giveUp);
    for (let beat = 0; beat < 100; beat += 1) {
      pulse.heard();
      await vi.advanceTimersByTimeAsync(600);
    }
    expect([giveUp.mock.calls, ask.mock.calls]).toEqual([[], []]);
  });

  it('starts again for who comes after the others were given up', async () => {
    const pulse = new Pulse({ ask: never });
    const [first, second] = [vi.fn(), vi.fn()];
    pulse.watch(first);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    pulse.watch(second);
    await vi.advanceTimersByTimeAsync(3000);
    expect(second).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });

  it('is fresh for a moment after something was heard', async () => {
    const pulse = new Pulse({ ask: never });
    expect(pulse.isFresh).toBe(false);
    pulse.heard();
    expect(pulse.isFresh).toBe(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(pulse.isFresh).toBe(false);
  });
});
