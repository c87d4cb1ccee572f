import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NONCES, UsedNonces, UsedProofs, WINDOW } from './used-proofs.js';

describe('UsedProofs', () => {
  it('accepts each number of a sender once, in any order within the window', () => {
    const number = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3 * WINDOW }));
    fc.assert(
      fc.property(fc.array(fc.record({ from: fc.constantFrom('a', 'b'), number }), { maxLength: 60 }), (sent) => {
        const used = new UsedProofs();
        const accepted = new Map<string, Set<number>>();
        for (const proof of sent) {
          const before = accepted.get(proof.from) ?? new Set<number>();
          const isTooOld = proof.number <= Math.max(0, ...before) - WINDOW;
          expect(used.use(proof)).toBe(!isTooOld && !before.has(proof.number));
          if (!isTooOld) accepted.set(proof.from, before.add(proof.number));
        }
      }),
    );
  });
});

describe('UsedNonces', () => {
  it('accepts each word once, and remembers the last ones', () => {
    const used = new UsedNonces();
    const words = Array.from({ length: 2 * NONCES + 1 }, (_, index) => `word ${index}`);
    expect(words.every((word) => used.use(word))).toBe(true);
    expect(words.slice(-NONCES).some((word) => used.use(word))).toBe(false);
    expect(used.use('word 0')).toBe(true);
  });
});
