import { afterEach, describe, expect, it, vi } from 'vitest';
import { garbageCollector } from './pressure.js';
import { MemoryGuard } from './memory-guard.js';

const MIB = 1024 * 1024;
let guard: MemoryGuard | undefined;
afterEach(() => guard?.close());

/** Memory of which a part is garbage. */
const rig = () => {
  const memory = { live: 100 * MIB, garbage: 0, messages: 0, at: 0 };
  const collect = vi.fn(() => {
    memory.garbage = 0;
  });
  const log = { warn: vi.fn(), info: vi.fn() };
  guard = new MemoryGuard({
    budgetBytes: 500 * MIB,
    log,
    collect,
    usedBytes: () => memory.live + memory.garbage,
    messagePeak: () => memory.messages,
    now: () => memory.at,
  });
  const look = (afterMs = 250): boolean => {
    memory.at += afterMs;
    guard?.look();
    return guard?.isTight === true;
  };
  return { memory, collect, log, look };
};

describe('MemoryGuard', () => {
  it('collects garbage before it rejects anything', () => {
    const { memory, collect, look } = rig();
    memory.garbage = 600 * MIB;
    expect(look()).toBe(false);
    expect(collect).toHaveBeenCalledOnce();
  });

  it('rejects new work beyond the budget, and takes it again well below', () => {
    const { memory, log, look } = rig();
    memory.live = 600 * MIB;
    expect(look()).toBe(true);
    expect(() => guard?.admit()).toThrow(expect.objectContaining({ code: 'OVERLOADED', retryAfterMs: 2000 }) as Error);
    memory.live = 480 * MIB;
    expect(look()).toBe(true);
    memory.live = 400 * MIB;
    expect(look()).toBe(false);
    expect(() => guard?.admit()).not.toThrow();
    expect([log.warn.mock.calls.length, log.info.mock.calls.length]).toEqual([1, 1]);
  });

  it('collects once after large messages, when they are over', () => {
    const { memory, collect, look } = rig();
    memory.messages = 20 * MIB;
    for (let turn = 0; turn < 100; turn += 1) look();
    expect(collect).not.toHaveBeenCalled();
    memory.messages = MIB;
    for (let turn = 0; turn < 100; turn += 1) look();
    expect(collect).toHaveBeenCalledTimes(1);
  });

  it('does not spend its time on collecting', () => {
    const { memory, collect, look } = rig();
    memory.live = 600 * MIB;
    for (let turn = 0; turn < 8; turn += 1) look();
    expect(collect).toHaveBeenCalledTimes(1);
    look(2000);
    expect(collect).toHaveBeenCalledTimes(2);
  });

  it('gives memory back some time after a burst', () => {
    const { memory, collect, look } = rig();
    memory.garbage = 100 * MIB;
    for (let turn = 0; turn < 30; turn += 1) look();
    expect(collect).not.toHaveBeenCalled();
    look(5000);
    expect(collect).toHaveBeenCalledOnce();
    for (let turn = 0; turn < 100; turn += 1) look();
    expect(collect).toHaveBeenCalledOnce();
  });
});

describe('garbageCollector', () => {
  it('collects', async () => {
    const collect = garbageCollector();
    const kept = new WeakRef({ large: 'x'.repeat(100) });
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(kept.deref()).toBeUndefined();
    expect('gc' in globalThis).toBe(false);
  });
});
