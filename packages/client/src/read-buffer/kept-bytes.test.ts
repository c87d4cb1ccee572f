import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keptBytes, ownBytes } from './kept-bytes.js';
import { lentPlace } from './lent-place.js';

const sizes = fc.array(fc.oneof(fc.nat(200), fc.integer({ min: 30_000, max: 65_536 })), { maxLength: 30 });

it('keeps every read as it was, though all are read into the same place', () => {
  fc.assert(
    fc.property(sizes, (all) => {
      const place = lentPlace(65_536);
      const kept = all.map((size, index) => ownBytes(place.fill(index).subarray(0, size)));
      expect(kept.map((bytes) => bytes.length)).toEqual(all);
      expect(kept.every((bytes, index) => bytes.every((byte) => byte === index))).toBe(true);
    }),
    { numRuns: 20 },
  );
});

it('takes large reads from memory that goes back to the system', () => {
  const { buffer } = keptBytes(new Uint8Array(65_536));
  expect((buffer as ArrayBuffer & { readonly resizable?: boolean }).resizable).toBe(true);
});

it('does not copy what belongs to nobody else', () => {
  const bytes = Buffer.from('mine');
  expect(ownBytes(bytes)).toBe(bytes);
});
