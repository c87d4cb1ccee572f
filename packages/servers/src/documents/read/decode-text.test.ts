import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.js';

describe('text', () => {
  it('survives UTF-8, with and without its mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(decodeText(bytes)).toBe(new TextDecoder().decode(bytes));
        expect(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]))).toBe(new TextDecoder().decode(bytes));
      }),
    );
  });

  it('falls back to what was declared, then to the old Western encoding', () => {
    expect(decodeText(new Uint8Array([0x4b, 0xf6, 0x6c, 0x6e]))).toBe('Köln');
    expect(decodeText(new Uint8Array([0xcf, 0xf0]), 'windows-1251')).toBe('Пр');
    expect(decodeText(new Uint8Array([0xf6]), 'no-such-encoding')).toBe('ö');
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x61, 0]))).toBe('a');
    expect(decodeText(new Uint8Array([0xfe, 0xff, 0, 0x61]))).toBe('a');
  });
});
