import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellQuote } from './shell-quote.js';

const word = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '`',
        '$',
        '(',
        ')',
        ';',
        '>',
        '&',
        '|',
        '~',
        '*',
        '#',
        '!',
        '\\',
        ' ',
        '\n',
        '{',
        '=',
        '…',
      ),
      fc.string({ minLength: 1, maxLength: 2 }),
    ),
  })
  .filter((text) => !text.includes('\0'));

describe('a command line to paste', () => {
  it('gives a real shell back the words that it was made of', () => {
    const lists = fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), { numRuns: 200, seed: 7 });
    const script = lists.map((words) => `printf '%s\\0' ${shellQuote(words)}`).join('\n');
    const said = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0');
    expect(said.slice(0, -1)).toEqual(lists.flat());
  });
});
