import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBudget, UNCOUNTED_BYTES } from './byte-budget.js';

const MIB = 1024 * 1024;

describe('ByteBudget', () => {
  it('refuses a holder beyond its share, and everybody beyond the whole', () => {
    const budget = new ByteBudget({ maxBytes: 10 * MIB, maxPerHolder: 6 * MIB });
    expect(budget.take('a', 6 * MIB)).toBeUndefined();
    expect(budget.take('a', 1)).toBe('holder');
    expect(budget.take('b', 5 * MIB)).toBe('total');
    expect(budget.take('b', 4 * MIB)).toBeUndefined();
    budget.give('a', 6 * MIB);
    expect(budget.take('b', 2 * MIB)).toBeUndefined();
  });

  it('says what was in use at most since it was last asked', () => {
    const budget = new ByteBudget({ maxBytes: 10 * MIB });
    budget.take('a', 4 * MIB);
    budget.give('a', 3 * MIB);
    expect([budget.takePeak(), budget.takePeak()]).toEqual([4 * MIB, MIB]);
  });

  it('does not count what is small, and counts all of what becomes large', () => {
    const budget = new ByteBudget({ maxBytes: MIB });
    const room = budget.room('a');
    expect(room.grow(UNCOUNTED_BYTES)).toBeUndefined();
    expect(budget.used).toBe(0);
    expect(room.grow(1)).toBeUndefined();
    expect(budget.used).toBe(UNCOUNTED_BYTES + 1);
    room[Symbol.dispose]();
    expect(budget.used).toBe(0);
  });

  it('has everything back when everybody is done, whatever they did', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: -MIB, max: MIB })));
    fc.assert(
      fc.property(steps, (all) => {
        const budget = new ByteBudget({ maxBytes: 2 * MIB, maxPerHolder: MIB });
        const rooms = new Map(['a', 'b', 'c'].map((holder) => [holder, budget.room(holder)]));
        for (const [holder, bytes] of all) {
          if (bytes > 0) rooms.get(holder)?.grow(bytes);
          else rooms.get(holder)?.shrink(-bytes);
          expect(budget.used).toBeLessThanOrEqual(2 * MIB);
          expect(budget.heldBy(holder)).toBeLessThanOrEqual(MIB);
        }
        for (const room of rooms.values()) room[Symbol.dispose]();
        expect(budget.used).toBe(0);
      }),
    );
  });
});
