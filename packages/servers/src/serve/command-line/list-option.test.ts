import { expect, it } from 'vitest';
import { listOption } from './list-option.js';

const short = { isRight: (entry: string) => entry.length < 4, what: 'a short word' };

it('takes every entry, and none', () => {
  expect(listOption({ allow: ['a', 'bcd'] }, 'allow', short)).toEqual(['a', 'bcd']);
  expect(listOption({}, 'allow', short)).toEqual([]);
});

it('names the option and the entry that is wrong', () => {
  expect(() => listOption({ allow: ['a', 'long one'] }, 'allow', short)).toThrow(
    '--allow must be a short word, not "long one".',
  );
});
