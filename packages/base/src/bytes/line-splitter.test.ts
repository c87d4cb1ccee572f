import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

test('lines that somebody takes as bytes are not decoded', () => {
  const taken: string[] = [];
  const lines: string[] = [];
  const splitter = new LineSplitter({
    takeBytes: (line) => line[0] === 0x7b && taken.push(Buffer.from(line).toString()) > 0,
    onLine: (line) => lines.push(line),
  });
  for (const piece of ['{"a":', '1}\r\nb\n\n{', '}\n']) splitter.push(Buffer.from(piece));
  expect([taken, lines]).toEqual([['{"a":1}', '{}'], ['b']]);
});

test('many small parts of a line are copied, so that none of their chunks is kept', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter({ onLine: (text) => lines.push(text) });
  splitter.push(Buffer.from('0123456789'));
  for (let count = 0; count < 20; count += 1) splitter.push(Buffer.from('-'));
  const place = Buffer.alloc(1);
  const text = 'abc'.repeat(50_000);
  for (const byte of Buffer.from(text)) {
    place[0] = byte;
    splitter.push(place);
  }
  splitter.push(Buffer.from('\n'));
  expect(lines).toEqual([`0123456789${'-'.repeat(20)}${text}`]);
});

/** What lines are, told without chunks. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((each) => (each.endsWith('\r') ? each.slice(0, -1) : each))
    .filter((each) => each !== '');

test('lines come whole out of memory that is used again, wherever they are cut and a place is found for them', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '🧩', '\r', '\n', '"'), maxLength: 80 });
  const cuts = fc.array(fc.nat(), { maxLength: 30 });
  const lent = fc.infiniteStream(fc.boolean());
  fc.assert(
    fc.property(text, cuts, lent, fc.nat(4), fc.nat(60), (whole, places, isLent, from, upTo) => {
      const taken: string[] = [];
      const spare: Uint8Array[] = [];
      const splitter = new LineSplitter({
        takeBytes: (bytes) => {
          taken.push(Buffer.from(bytes).toString());
          const own = new Uint8Array(bytes.buffer);
          // Whoever has a line gives its place back, and the next line is written over it.
          if (own.length === 100) spare.push(own.fill(0x78));
          return true;
        },
        placeFor: (bytes, instead) => {
          if (bytes <= from || bytes > upTo) return undefined;
          const place = bytes > 20 ? (spare.pop() ?? new Uint8Array(100)) : new Uint8Array(20);
          if (instead?.length === 100) throw new Error('a place that is large enough was replaced');
          return place;
        },
        onLine: () => undefined,
      });
      const one = new Uint8Array(512);
      for (const chunk of cutAt(Buffer.from(whole), places)) {
        if (isLent.next().value) {
          one.set(chunk);
          splitter.push(one.subarray(0, chunk.length), true);
          one.fill(0x79);
        } else {
          splitter.push(new Uint8Array(chunk));
        }
      }
      splitter.end();
      expect(taken).toEqual(linesOf(whole));
    }),
    { numRuns: 2000 },
  );
});

test('a line beyond the bound is dropped whole when it came in lent chunks, and the next one is not touched', () => {
  const oversize: number[] = [];
  const taken: string[] = [];
  const splitter = new LineSplitter({
    takeBytes: (bytes) => taken.push(Buffer.from(bytes).toString()) > 0,
    placeFor: (bytes) => (bytes <= 8 ? new Uint8Array(8) : undefined),
    onLine: () => undefined,
    onOversize: (bytes) => oversize.push(bytes),
    maxLineBytes: 12,
  });
  for (const part of ['1234', '5678', '9012', '3456\nab', 'cd\n']) {
    const chunk = Buffer.from(part);
    splitter.push(chunk, true);
    chunk.fill('x');
  }
  expect({ taken, oversize }).toEqual({ taken: ['abcd'], oversize: [16] });
});
