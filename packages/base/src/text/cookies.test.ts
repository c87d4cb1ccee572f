import { expect, test } from 'vitest';
import { cookiesIn } from './cookies.js';

test.each([
  [undefined, []],
  ['', []],
  [
    'a=1; b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['a=1;a=2', [['a', '1']]],
  [
    ' a = x=y ;b=',
    [
      ['a', 'x=y'],
      ['b', ''],
    ],
  ],
  ['=1; alone; b=2', [['b', '2']]],
])('the cookies in %j', (field, cookies) => {
  expect([...cookiesIn(field)]).toEqual(cookies);
});
