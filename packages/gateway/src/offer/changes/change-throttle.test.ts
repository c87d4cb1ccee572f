import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeThrottle } from './change-throttle.js';

describe('ChangeThrottle', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tells of a single change at once, and of a later one too', () => {
    const tell = vi.fn();
    const telling = new ChangeThrottle(tell);
    telling.notice();
    expect(tell).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1000);
    telling.notice();
    expect(tell).toHaveBeenCalledTimes(2);
  });

  it('tells of two hundred changes a few times, and of the last one for sure', () => {
    let changes = 0;
    const seen: number[] = [];
    const telling = new ChangeThrottle(() => seen.push(changes));
    for (; changes < 200;) {
      changes += 1;
      telling.notice();
      vi.advanceTimersByTime(50);
    }
    vi.advanceTimersByTime(20_000);
    expect(seen.length).toBeLessThanOrEqual(8);
    expect(seen.at(-1)).toBe(200);
  });

  it('tells nobody after it was closed', () => {
    const tell = vi.fn();
    const telling = new ChangeThrottle(tell);
    telling.notice();
    telling.notice();
    telling.close();
    vi.advanceTimersByTime(20_000);
    expect(tell).toHaveBeenCalledTimes(1);
  });
});
