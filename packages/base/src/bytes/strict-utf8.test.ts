import fc from 'fast-check';
import { expect, it } from 'vitest';
import { strictUtf8 } from './strict-utf8.js';

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

it('takes what a strict decoder takes, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        expect(strictUtf8(Buffer.from(bytes))).toBe(decoded(bytes));
      },
    ),
  );
});

it('keeps a byte order mark, and refuses half a character', () => {
  expect(strictUtf8(Buffer.from('\uFEFFa'))).toBe('\uFEFFa');
  expect(strictUtf8(Buffer.from('é').subarray(0, 1))).toBeUndefined();
});
