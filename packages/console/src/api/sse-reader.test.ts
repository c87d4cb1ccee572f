import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseReader } from './sse-reader.js';

describe('a reader of server-sent events', () => {
  it('joins lines of data, and ignores comments and other fields', () => {
    const reader = new SseReader();
    expect(reader.feed(': hi\n\nid: 1\nevent: x\ndata: a\ndata:b\n\ndata: c\n')).toEqual(['a\nb']);
    expect(reader.feed('\n')).toEqual(['c']);
  });

  it('gives the same however the stream is cut', () => {
    const events = fc.array(fc.stringMatching(/^[a-z:{}" ]{1,20}$/u), { maxLength: 6 });
    fc.assert(
      fc.property(events, fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 7 }), (data, end, size) => {
        const text = data.map((line) => `data: ${line}${end}${end}`).join('');
        const reader = new SseReader();
        const read: string[] = [];
        for (let at = 0; at < text.length; at += size) read.push(...reader.feed(text.slice(at, at + size)));
        expect(read).toEqual(data);
      }),
    );
  });
});
