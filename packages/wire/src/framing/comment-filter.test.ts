import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CommentFilter } from './comment-filter.js';

/** Line by line, as the specification has it: a line ends with CR LF, LF or CR. */
const withoutComments = (text: string): string =>
  text
    .split(/(?<=\n)|(?<=\r)(?!\n)/u)
    .filter((line) => !line.startsWith(':'))
    .join('');

const lines = fc.array(
  fc.tuple(fc.constantFrom(':', ': a', ':é:', 'data: x', 'data::', 'a', ''), fc.constantFrom('\n', '\r\n', '\r')),
);

it('takes out comments and nothing else, wherever the stream is cut', () => {
  fc.assert(
    fc.property(lines, fc.constantFrom('', ':', 'data: y'), fc.array(fc.nat(200)), (all, last, cuts) => {
      const text = all.map(([line, end]) => line + end).join('') + last;
      const bytes = Buffer.from(text);
      const filter = new CommentFilter();
      const at = [...cuts.filter((cut) => cut < bytes.length), 0, bytes.length].toSorted((a, b) => a - b);
      const left = at.slice(1).map((end, index) => filter.strip(bytes.subarray(at[index], end)));
      expect(Buffer.concat(left).toString()).toBe(withoutComments(text));
    }),
    { numRuns: 2000 },
  );
});

it('hands out a chunk without comments as it is', () => {
  const chunk = Buffer.from('data: a:b\n\n');
  expect(new CommentFilter().strip(chunk)).toBe(chunk);
});
