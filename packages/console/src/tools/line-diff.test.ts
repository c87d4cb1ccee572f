import { describe, expect, it } from 'vitest';
import { diffOfLines } from './line-diff.js';

const told = (before: string, after: string): string =>
  diffOfLines(before, after)
    .map(({ sign, text }) => sign + text)
    .join('|');

describe('the difference of two texts', () => {
  it.each([
    ['nothing changed', 'a\nb', 'a\nb', ' a| b'],
    ['a line more', 'a\nc', 'a\nb\nc', ' a|+b| c'],
    ['a line less', 'a\nb\nc', 'a\nc', ' a|-b| c'],
    ['a line replaced', 'a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
    ['lines in between kept', 'a\nb\nc\nd', 'x\nb\nc\ny', '-a|+x| b| c|-d|+y'],
    ['an empty text', '', 'a', '-|+a'],
  ])('%s', (_what, before, after, expected) => {
    expect(told(before, after)).toBe(expected);
  });

  it('counts all as replaced where comparing would take too long, and keeps what is equal around it', () => {
    const many = (mark: string): string => Array.from({ length: 2000 }, (_, at) => `${mark}${at}`).join('\n');
    const found = diffOfLines(`{\n${many('a')}\n}`, `{\n${many('b')}\n}`);
    expect(found).toHaveLength(4002);
    expect([found[0], found[1], found[2001], found.at(-1)].map((line) => `${line?.sign}${line?.text}`)).toEqual([
      ' {',
      '-a0',
      '+b0',
      ' }',
    ]);
  });
});
