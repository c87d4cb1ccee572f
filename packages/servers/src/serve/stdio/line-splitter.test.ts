import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter, type SplitLine, TOO_LONG } from './line-splitter.js';

it('finds the same lines however the bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/gu, ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(7), { minLength: 1 }), fc.boolean(), (lines, cuts, windows) => {
      const bytes = Buffer.from(lines.map((text) => `${text}${windows ? '\r' : ''}\n`).join(''));
      const splitter = new LineSplitter(10_000);
      const found: SplitLine[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const end = at + 1 + (cuts[turn % cuts.length] ?? 0);
        found.push(...splitter.push(bytes.subarray(at, end)));
        at = end;
      }
      expect(found).toEqual(lines.map((text) => Buffer.from(text).toString()));
    }),
  );
});

it('keeps nothing of a line that is too long, and finds the next one', () => {
  const splitter = new LineSplitter(10);
  expect(splitter.push(Buffer.from('0123456789\n'))).toEqual(['0123456789']);
  expect(splitter.push(Buffer.from('01234'))).toEqual([]);
  expect(splitter.push(Buffer.from('567890'))).toEqual([]);
  expect(splitter.push(Buffer.from('more\nnext\n'))).toEqual([TOO_LONG, 'next']);
});
