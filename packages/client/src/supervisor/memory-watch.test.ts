import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryWatch, inMegabytes } from './memory-watch.js';
import type { ProcessEntry, ProcessTable } from './process-table.js';

const entry = (pid: number, groupId: number, rssBytes: number): ProcessEntry => ({
  pid,
  groupId,
  rssBytes,
  zombie: false,
  startedAt: '',
  commandLine: '',
});

describe('the memory watch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('adds up the whole group and reports the first excess once', async () => {
    let entries = [entry(10, 10, 40), entry(11, 10, 40), entry(12, 12, 500)];
    let looks = 0;
    const table: ProcessTable = {
      find: () => Promise.resolve(undefined),
      list: () => {
        looks += 1;
        return Promise.resolve(entries);
      },
    };
    const seen: number[] = [];
    using watch = createMemoryWatch({ table, everyMs: 100 });
    watch.watch({ groupId: 10, limitBytes: 100, onExceeded: (used) => seen.push(used) });
    await vi.advanceTimersByTimeAsync(100);
    expect(seen).toEqual([]);
    entries = [...entries, entry(13, 10, 40)];
    await vi.advanceTimersByTimeAsync(300);
    expect(seen).toEqual([120]);
    expect(looks).toBe(2);
  });

  it('looks at nothing when nobody is watched, and survives a table that fails', async () => {
    let looks = 0;
    const table: ProcessTable = {
      find: () => Promise.resolve(undefined),
      list: () => {
        looks += 1;
        return Promise.reject(new Error('no table'));
      },
    };
    const watch = createMemoryWatch({ table, everyMs: 100 });
    const end = watch.watch({ groupId: 10, limitBytes: 1, onExceeded: () => undefined });
    await vi.advanceTimersByTimeAsync(250);
    expect(looks).toBe(2);
    end();
    expect(vi.getTimerCount()).toBe(0);
    watch.watch({ groupId: 11, limitBytes: 1, onExceeded: () => undefined });
    watch[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('inMegabytes', () => {
  it('rounds up, so that an excess never looks like the limit', () => {
    expect(inMegabytes(256_000_001)).toBe('257 MB');
  });
});
