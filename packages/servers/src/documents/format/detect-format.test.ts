import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { fixture } from '../test-support/fixture.js';
import { detectFormat } from './detect-format.js';

describe('the format of a document', () => {
  it.each([
    ['report.pdf', 'pdf'],
    ['report.docx', 'docx'],
    ['slides.pptx', 'pptx'],
    ['budget.xlsx', 'xlsx'],
    ['report.epub', 'epub'],
  ])('of %s is told by its bytes alone', (name, format) => {
    expect(detectFormat(fixture(name), {}).name).toBe(format);
  });

  it('of a text is told by its name, else by its type', () => {
    expect(detectFormat(strToU8('a,b'), { fileName: 'A.CSV', mediaType: 'text/html' }).name).toBe('csv');
    expect(detectFormat(strToU8('a,b'), { mediaType: 'text/html; charset=utf-8' }).name).toBe('html');
    expect(detectFormat(strToU8('a,b'), { format: 'markdown', fileName: 'a.csv' }).name).toBe('markdown');
  });

  it('of UTF-16 text is text, though it has zeros', () => {
    expect(detectFormat(new Uint8Array([0xff, 0xfe, 0x61, 0x00]), { fileName: 'a.txt' }).name).toBe('text');
  });

  it('of an archive nobody knows is unknown, or a mismatch', () => {
    const archive = zipSync({ a: strToU8('x') });
    expect(() => detectFormat(archive, {})).toThrow(expect.objectContaining({ code: 'FORMAT_UNKNOWN' }));
    expect(() => detectFormat(archive, { fileName: 'a.txt' })).toThrow(
      expect.objectContaining({ code: 'FORMAT_MISMATCH' }),
    );
    expect(() => detectFormat(strToU8('plain'), { fileName: 'a.pdf' })).toThrow(
      expect.objectContaining({ code: 'FORMAT_MISMATCH' }),
    );
    expect(() => detectFormat(strToU8('plain'), { fileName: 'a' })).toThrow(
      expect.objectContaining({ code: 'FORMAT_UNKNOWN' }),
    );
  });
});
