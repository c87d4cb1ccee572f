import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteParts } from './byte-parts.js';

test('gives back all bytes in their order, and then none', () => {
  const sizes = fc.array(fc.oneof(fc.nat(3), fc.integer({ min: 1000, max: 1050 }), fc.constant(9000)), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const parts = new ByteParts();
      const sent = lengths.map((length, index) => new Uint8Array(length).fill(index));
      for (const part of sent) parts.push(part);
      expect(Buffer.concat(parts.take()).equals(Buffer.concat(sent))).toBe(true);
      expect(parts.take()).toEqual([]);
    }),
  );
});

test('keeps a million parts of one byte in few objects', () => {
  const parts = new ByteParts();
  const byte = new Uint8Array([7]);
  for (let count = 0; count < 1_000_000; count += 1) parts.push(byte);
  const kept = parts.take();
  expect(kept.length).toBeLessThan(50);
  expect(kept.reduce((sum, { length }) => sum + length, 0)).toBe(1_000_000);
});

test('keeps the few parts of a usual message as they came', () => {
  const parts = new ByteParts();
  const sent = [new Uint8Array(10), new Uint8Array(70_000), new Uint8Array(3)];
  for (const part of sent) parts.push(part);
  expect(parts.take().every((part, index) => part === sent[index])).toBe(true);
});
