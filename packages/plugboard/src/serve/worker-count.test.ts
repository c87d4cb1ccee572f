import { describe, expect, it } from 'vitest';
import { failuresAfter, restartPause, workerCount } from './worker-count.js';
import { isWorkerRole } from './worker-role.js';

describe('workerCount', () => {
  it('is a number, or one for each core', () => {
    expect([workerCount('3', 8), workerCount('auto', 8), workerCount('auto', 0)]).toEqual([3, 8, 1]);
  });

  it.each(['0', '-1', '1.5', '257', 'many', ''])('refuses %s', (text) => {
    expect(() => workerCount(text)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }) as Error);
  });
});

describe('a worker that fails', () => {
  it('is started again soon, and later each time, until one runs for long', () => {
    expect([0, 1, 2, 20].map(restartPause)).toEqual([100, 200, 400, 5000]);
    expect([failuresAfter(0, 10), failuresAfter(4, 10), failuresAfter(4, 60_000)]).toEqual([1, 5, 0]);
  });
});

describe('isWorkerRole', () => {
  it('knows what a worker is told', () => {
    expect(isWorkerRole({ localKey: 'x', isFirst: true })).toBe(true);
    for (const other of [undefined, null, 'x', {}, { localKey: 1, isFirst: true }, { localKey: 'x' }]) {
      expect(isWorkerRole(other)).toBe(false);
    }
  });
});
