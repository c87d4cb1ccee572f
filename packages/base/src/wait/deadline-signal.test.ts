import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deadlineSignal } from './deadline-signal.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('aborts in time and leaves no timer', () => {
  using first = deadlineSignal(10);
  const second = deadlineSignal(10);
  second[Symbol.dispose]();
  vi.advanceTimersByTime(10);
  expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
  expect(vi.getTimerCount()).toBe(0);
});
