import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsedProofs, WINDOW } from './used-proofs.js';

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
