import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeSse, encodeSseComment } from './encode-sse.js';
import type { SseEvent } from './sse-event.js';
import { SseReader } from './sse-reader.js';

const read = (chunks: readonly Uint8Array[], maxEventChars?: number) => {
  const events: SseEvent[] = [];
  const retries: number[] = [];
  let comments = 0;
  let oversize = 0;
  const reader = new SseReader({
    onEvent: (event) => events.push(event),
    onRetry: (ms) => retries.push(ms),
    onComment: () => {
      comments += 1;
    },
    onOversize: () => {
      oversize += 1;
    },
    maxEventChars,
  });
  for (const chunk of chunks) {
    reader.push(chunk);
  }
  return { events, retries, comments, oversize };
};

const chunksOf = (bytes: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_unused, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\r\n\u0000\uFEFF\uD800-\uDFFF]/u.test(value));
const word = text.filter((value) => value !== '' && !value.startsWith(' '));

describe('SSE', () => {
  test('what is written is read, however the bytes are cut', () => {
    const event = fc.record({
      event: fc.option(word, { nil: undefined }),
      id: fc.option(word, { nil: undefined }),
      data: fc.array(text, { minLength: 1 }).map((lines) => lines.join('\n')),
    });
    fc.assert(
      fc.property(fc.array(event), fc.integer({ min: 1, max: 40 }), (events, size) => {
        const bytes = Buffer.from(events.map(encodeSse).join(encodeSseComment('still here')));
        // An event that has only an empty data line is an event; readers and writers agree on it.
        const result = read(chunksOf(bytes, size));
        expect(result.events.map(({ event: name, id, data }) => ({ event: name, id, data }))).toEqual(
          events.map(({ event: name, id, data }) => ({ event: name, id, data })),
        );
      }),
    );
  });

  test.each(['\r', '\n', '\r\n'])(
    'every event is read as soon as its last line ends with %j, wherever it is cut',
    (end) => {
      const bytes = Buffer.from(`: hello${end}data: a${end}data: b${end}${end}data: c${end}${end}`);
      for (let size = 1; size <= bytes.length; size += 1) {
        expect(read(chunksOf(bytes, size)).events.map(({ data }) => data)).toEqual(['a\nb', 'c']);
      }
    },
  );

  test('a line break in a field cannot start another field', () => {
    const written = encodeSse({ event: 'a\ndata: forged', id: '1\r\nretry: 1', data: 'real' });
    expect(read([Buffer.from(written)]).events).toEqual([{ event: 'adata: forged', id: '1retry: 1', data: 'real' }]);
  });

  test('retry and comments are told', () => {
    const bytes = Buffer.from(`${encodeSse({ data: 'x', retry: 250.7 })}${encodeSseComment()}`);
    expect(read([bytes])).toMatchObject({ retries: [250], comments: 1, events: [{ data: 'x' }] });
  });

  test('an event beyond the bound ends the reading', () => {
    const bytes = Buffer.from(`data: ${'x'.repeat(500)}`);
    const result = read([...chunksOf(bytes, 50), Buffer.from('\n\ndata: later\n\n')], 100);
    expect(result.oversize).toBe(1);
    expect(result.events).toEqual([]);
  });
});
