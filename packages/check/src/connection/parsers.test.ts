import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, listAt, show, tryJson } from './json.js';
import { LineSplitter } from './line-splitter.js';
import { SseParser } from './sse-parser.js';

/** The bytes in pieces that end at these places. */
const pieces = (bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] => {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

const cuts = fc.array(fc.nat(), { maxLength: 8 });
const plain = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/gu, ' '));

describe('lines', () => {
  test('are the same however the bytes come', () => {
    fc.assert(
      fc.property(fc.array(plain), plain, cuts, (lines, rest, places) => {
        const splitter = new LineSplitter();
        const bytes = Buffer.from([...lines.map((line) => `${line}\n`), rest].join(''));
        expect(pieces(bytes, places).flatMap((piece) => splitter.push(piece))).toEqual(lines);
        expect(splitter.remainder).toBe(rest);
      }),
    );
  });
});

describe('server-sent events', () => {
  test('are the same however the bytes come, and whatever ends their lines', () => {
    const event = fc.record({
      data: plain,
      id: fc.option(
        plain.filter((id) => !id.startsWith(' ')),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom('\n', '\r\n'), cuts, (events, end, places) => {
        const text = events
          .map(({ data, id }) => [`data: ${data}`, ...(id === undefined ? [] : [`id: ${id}`]), '', ''].join(end))
          .join('');
        const parser = new SseParser();
        const parsed = pieces(Buffer.from(text), places).flatMap((piece) => parser.push(piece));
        expect(parsed.map(({ data, id }) => ({ data, id }))).toEqual(events);
        expect(parser.unfinished).toBe(false);
      }),
    );
  });

  test('join their data, keep comments apart and notice strange lines', () => {
    const parser = new SseParser();
    const [first, second] = parser.push(
      Buffer.from(': hello\nevent: endpoint\ndata: a\ndata:b\nretry: 5\nnonsense\n\ndata\n\nevent: half'),
    );
    expect(first).toEqual({
      event: 'endpoint',
      data: 'a\nb',
      id: undefined,
      retry: '5',
      comments: ['hello'],
      strange: ['nonsense'],
    });
    expect(second?.data).toBe('');
    expect(parser.unfinished).toBe(true);
  });
});

describe('values of a server', () => {
  test('are looked into without trust', () => {
    expect(at({ a: { b: 1 } }, 'a', 'b')).toBe(1);
    expect(at({ a: [] }, 'a', 'length')).toBeUndefined();
    expect(at({}, 'toString')).toBeUndefined();
    expect(listAt({ a: 'text' }, 'a')).toEqual([]);
    expect(tryJson('{')).toBeUndefined();
    expect(show(undefined)).toBe('missing');
    expect(show('x'.repeat(300))).toHaveLength(201);
  });
});
