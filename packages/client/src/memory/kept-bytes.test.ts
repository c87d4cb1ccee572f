import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeptBytes } from './kept-bytes.js';

const sizes = fc.array(fc.oneof(fc.nat(200), fc.integer({ min: 30_000, max: 65_536 })), { maxLength: 30 });

it('keeps every read as it was, though all are read into the same place', () => {
  fc.assert(
    fc.property(sizes, (all) => {
      const place = new Uint8Array(65_536);
      const keeper = new KeptBytes();
      const kept = all.map((size, index) => keeper.keep(place.fill(index).subarray(0, size)));
      expect(kept.map((bytes) => bytes.length)).toEqual(all);
      expect(kept.every((bytes, index) => bytes.every((byte) => byte === index))).toBe(true);
    }),
    { numRuns: 20 },
  );
});

it('takes large reads from memory that goes back to the system', () => {
  const { buffer } = new KeptBytes().keep(new Uint8Array(65_536));
  expect((buffer as ArrayBuffer & { readonly resizable?: boolean }).resizable).toBe(true);
});
