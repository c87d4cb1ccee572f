import fc from 'fast-check';
import { toString } from 'mdast-util-to-string';
import { expect, it } from 'vitest';
import { writeMarkdown } from '../write/write-markdown.js';
import { nestedList } from './nested-list.js';
import { text } from './tree.js';

const item = (level: number, words: string, ordered = false) => ({ level, ordered, children: [text(words)] });

it('builds lists in lists', () => {
  const list = nestedList([item(0, 'a'), item(1, 'b', true), item(1, 'c', true), item(0, 'd'), item(5, 'e')]);
  expect(writeMarkdown({ type: 'root', children: [list] })).toBe('- a\n  1. b\n  2. c\n- d\n  - e\n');
});

it('loses no item, whatever the levels', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { minLength: 1 }), (levels) => {
      const list = nestedList(levels.map((level, index) => item(level, `<${index}>`)));
      expect(toString(list)).toBe(levels.map((_, index) => `<${index}>`).join(''));
    }),
  );
});
