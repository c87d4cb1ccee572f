import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingBytes } from './growing-bytes.js';

it('holds all pieces in their order, also beyond what was set aside for them', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 5000 })), fc.integer({ min: 1, max: 5000 }), (pieces, reserve) => {
      const bytes = new GrowingBytes(reserve);
      for (const piece of pieces) bytes.append(piece);
      expect(bytes.whole().equals(Buffer.concat(pieces))).toBe(true);
    }),
  );
});

it('can be moved to another thread whole', () => {
  const bytes = new GrowingBytes();
  bytes.append(Buffer.from('a'));
  bytes.append(Buffer.from('b'));
  const whole = bytes.whole();
  const moved = structuredClone(whole, { transfer: [whole.buffer as ArrayBuffer] });
  expect([whole.length, Buffer.from(moved).toString()]).toEqual([0, 'ab']);
});
