import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutputTail } from './output-tail.js';

const limits = { bytes: 64, lines: 3, lineLength: 10 };

describe('the tail of an output', () => {
  it('keeps the last lines, oldest first', () => {
    const tail = createOutputTail(limits);
    for (const line of ['one', 'two', '', 'three', 'four']) tail.append(Buffer.from(`${line}\r\n`));
    expect(tail.lines()).toEqual(['two', 'three', 'four']);
    tail.append(Buffer.from('five'));
    expect(tail.lines()).toEqual(['three', 'four', 'five']);
  });

  it('is empty as long as nothing was written', () => {
    expect(createOutputTail().lines()).toEqual([]);
  });

  it('joins what came in pieces and cuts what is too long', () => {
    const tail = createOutputTail(limits);
    for (const piece of ['a', 'bc', 'd\n', 'x'.repeat(20)]) tail.append(Buffer.from(piece));
    expect(tail.lines()).toEqual(['abcd', `${'x'.repeat(10)}…`]);
  });

  it('drops the line that it only has the end of', () => {
    const tail = createOutputTail({ ...limits, bytes: 8 });
    tail.append(Buffer.from('a long first line\nend\n'));
    expect(tail.lines()).toEqual(['end']);
  });

  it('redacts secrets, but not what is too short to be one', () => {
    const tail = createOutputTail({ ...limits, lineLength: 100 }, ['s3cret-value', 'a']);
    tail.append(Buffer.from('a token s3cret-'));
    tail.append(Buffer.from('value was refused'));
    expect(tail.lines()).toEqual(['a token [redacted] was refused']);
  });

  it('stays within its size whatever is written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 200 }), { maxLength: 30 }), (texts) => {
        const tail = createOutputTail(limits);
        for (const text of texts) tail.append(Buffer.from(text));
        const lines = tail.lines();
        expect(lines.length).toBeLessThanOrEqual(limits.lines);
        expect(Math.max(0, ...lines.map((line) => line.length))).toBeLessThanOrEqual(limits.lineLength + 1);
      }),
    );
  });
});
