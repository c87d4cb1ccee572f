import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeLine } from './encode-line.js';
import { LineSplitter } from './line-splitter.js';

/** Cuts bytes at the given places. */
const cutAt = (bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] => {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  const edges = [0, ...sorted, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
};

const split = (chunks: readonly Uint8Array[], maxLineBytes?: number): { lines: string[]; oversize: number[] } => {
  const lines: string[] = [];
  const oversize: number[] = [];
  const splitter = new LineSplitter({
    onLine: (line) => lines.push(line),
    onOversize: (bytes) => oversize.push(bytes),
    maxLineBytes,
  });
  for (const chunk of chunks) {
    splitter.push(chunk);
  }
  splitter.end();
  return { lines, oversize };
};

const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n\uD800-\uDFFF]/u.test(text));

describe('LineSplitter', () => {
  test('gives back every line, however the bytes are cut and whatever ends a line', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n'))), fc.array(fc.nat()), (lines, places) => {
        const bytes = Buffer.from(lines.map(([text, end]) => `${text}${end}`).join(''));
        expect(split(cutAt(bytes, places)).lines).toEqual(lines.map(([text]) => text));
      }),
    );
  });

  test('gives back every message, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat()), (values, places) => {
        const messages = values.map((result, id) => ({ jsonrpc: '2.0' as const, id, result }));
        const bytes = Buffer.from(messages.map(encodeLine).join(''));
        const read = split(cutAt(bytes, places)).lines.map((text) => JSON.parse(text) as unknown);
        expect(read).toEqual(messages.map((message) => JSON.parse(JSON.stringify(message)) as unknown));
      }),
    );
  });

  test('a line of 8 MB in small chunks survives', () => {
    const text = 'é'.repeat(4 * 1024 * 1024);
    const bytes = Buffer.from(`${text}\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_537) }, (_unused, index) =>
      bytes.subarray(index * 65_537, (index + 1) * 65_537),
    );
    expect(split(chunks).lines).toEqual([text]);
  });

  test('a line beyond the bound is dropped and told, the next one is read', () => {
    const chunks = ['ok\n', 'x'.repeat(50), 'x'.repeat(60), '\nfine\n'].map((text) => Buffer.from(text));
    expect(split(chunks, 100)).toEqual({ lines: ['ok', 'fine'], oversize: [110] });
  });

  test('empty lines are nothing; the last line needs no break', () => {
    expect(split([Buffer.from('\n\r\n\na\n\nb')]).lines).toEqual(['a', 'b']);
  });
});

test('an encoded message is one line, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const encoded = encodeLine({ jsonrpc: '2.0', method: text });
      expect(encoded.indexOf('\n')).toBe(encoded.length - 1);
      expect(encoded).not.toContain('\r');
    }),
  );
});
