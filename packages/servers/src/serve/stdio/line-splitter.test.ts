import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.js';

it('finds the same lines however the bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/gu, ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(7), { minLength: 1 }), fc.boolean(), (lines, cuts, windows) => {
      const bytes = Buffer.from(lines.map((text) => `${text}${windows ? '\r' : ''}\n`).join(''));
      const splitter = new LineSplitter(10_000);
      const found: string[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const end = at + 1 + (cuts[turn % cuts.length] ?? 0);
        found.push(...splitter.push(bytes.subarray(at, end)));
        at = end;
      }
      expect(found).toEqual(lines.map((text) => Buffer.from(text).toString()));
    }),
  );
});

it('gives up on a line without end', () => {
  const splitter = new LineSplitter(10);
  expect(splitter.push(Buffer.from('0123456789\n'))).toEqual(['0123456789']);
  splitter.push(Buffer.from('01234'));
  expect(() => splitter.push(Buffer.from('567890'))).toThrow(RangeError);
});
