import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Pieces, PieceStock } from './pieces.js';

const sizes = fc.array(fc.oneof(fc.nat(100), fc.integer({ min: 60_000, max: 600_000 })), { maxLength: 8 });

it('passes on every byte in its order, whatever memory it is given', () => {
  fc.assert(
    fc.property(sizes, (all) => {
      const stock = new PieceStock();
      const passed: Buffer[] = [];
      const pieces = new Pieces(stock, ({ piece, bytes }) => {
        passed.push(Buffer.from(piece.subarray(0, bytes)));
        stock.put(piece);
      });
      const place = Buffer.alloc(600_000);
      const given = all.map((size, index) => {
        const chunk = place.fill(index + 1).subarray(0, size);
        pieces.push(chunk);
        return Buffer.from(chunk);
      });
      pieces.flush();
      expect(Buffer.concat(passed).equals(Buffer.concat(given))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it('uses memory again that came back, and only that', () => {
  const stock = new PieceStock();
  const [one, other] = [stock.take(), stock.take()];
  expect(other === one).toBe(false);
  stock.put(one);
  expect([stock.take(), stock.take()].map((piece) => piece === one)).toEqual([true, false]);
  stock.put(other);
  stock.clear();
  expect([stock.take() === other, other.buffer.byteLength]).toEqual([false, 0]);
});
