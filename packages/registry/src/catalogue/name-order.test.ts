import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrder, mergeOrdered, positionOf } from './name-order.js';

const same = (name: string): string => name;
const names = fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 30 });

describe('names in order', () => {
  it('merges few into many as if all had been ordered', () => {
    fc.assert(
      fc.property(names, fc.nat(30), (all, cut) => {
        const [many, few] = [inOrder(all.slice(cut), same), inOrder(all.slice(0, cut), same)];
        expect(mergeOrdered(many, few, same)).toEqual(inOrder(all, same));
      }),
    );
  });

  it('finds each name where it is, and no other', () => {
    fc.assert(
      fc.property(names, fc.string({ maxLength: 3 }), (all, other) => {
        const ordered = inOrder(all, same);
        for (const name of [...all, other]) expect(positionOf(ordered, same, name)).toBe(ordered.indexOf(name));
      }),
    );
  });
});
