import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallQueue } from './call-queue.js';
import type { CallRecord } from './call-record.js';

const record = (tool: string): CallRecord => ({
  method: 'tools/call',
  scope: 'all',
  principal: 'local',
  era: 'legacy',
  server: 'one',
  tool,
  outcome: 'ok',
  durationMs: 1,
  traceId: undefined,
  args: {},
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('tells everybody of everything, soon or when somebody asks', () => {
  const told: string[] = [];
  const errors: unknown[] = [];
  const queue = new CallQueue({
    sinks: [
      () => {
        throw new Error('broken');
      },
      ({ tool }) => told.push(tool ?? ''),
    ],
    onInternalError: (error) => errors.push(error),
  });
  queue.add(record('a'));
  queue.add(record('b'));
  expect(told).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(told).toEqual(['a', 'b']);
  expect(errors).toHaveLength(2);
  queue.add(record('c'));
  queue.flush();
  expect(told).toEqual(['a', 'b', 'c']);
  expect(vi.getTimerCount()).toBe(0);
});

it('does not let a crowd wait', () => {
  let told = 0;
  const queue = new CallQueue({ sinks: [() => (told += 1)], onInternalError: () => undefined });
  for (let count = 0; count < 1000; count += 1) queue.add(record('a'));
  expect(told).toBe(1000);
});
