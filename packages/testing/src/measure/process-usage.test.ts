import { describe, expect, test } from 'vitest';
import { parseStat } from './process-usage.js';

describe('a line of /proc', () => {
  test('is read, whatever the program is called', () => {
    const fields = 'S 7 1 1 0 -1 4194560 1 2 3 4 150 50 0 0 20 0 11 0 99 1000 256 0';
    expect(parseStat(`42 (a ) b (c) ${fields}`)).toEqual({
      pid: 42,
      parent: 7,
      cpuMs: 2_000,
      threads: 11,
      rssBytes: 256 * 4_096,
    });
    expect(parseStat('')).toBeUndefined();
    expect(parseStat('42 (x) S 1')).toBeUndefined();
  });
});
