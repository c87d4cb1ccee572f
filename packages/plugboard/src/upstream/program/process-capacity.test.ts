import { describe, expect, it } from 'vitest';
import { machineRoom, processCapacity } from './process-capacity.js';

const GIBIBYTE = 1024 ** 3;

describe('how many server processes there is room for', () => {
  it.each([
    ['memory decides', 24, 20_000, 192],
    ['open files decide', 24, 1024, 85],
    ['a small container', 1, 1024, 8],
    ['there is always room for some', 0.1, 64, 8],
  ])('%s: %d GiB and %d open files are %d processes', (_what, memory, openFiles, expected) => {
    expect(processCapacity({ memoryBytes: memory * GIBIBYTE, openFiles })).toBe(expected);
  });

  it('is known for this machine', () => {
    const room = machineRoom();
    expect(room.memoryBytes).toBeGreaterThan(0);
    expect(room.openFiles).toBeGreaterThan(0);
    expect(processCapacity(room)).toBeGreaterThanOrEqual(8);
  });
});
