import { expect, it } from 'vitest';
import { nearest } from './nearest.js';

it.each([
  ['lst', ['list', 'show'], 'list'],
  ['FILES', ['files'], 'files'],
  ['flies', ['files', 'web'], 'files'],
  ['weather', ['files'], undefined],
  ['citty', ['country', 'city'], 'city'],
  ['userName', ['user_name', 'username2'], 'user_name'],
  ['path', ['filename', 'encoding'], undefined],
  ['x', [], undefined],
  ['a', ['b'], undefined],
  ['a', ['b', 'ab'], 'ab'],
  ['x'.repeat(65), ['x'.repeat(65)], undefined],
  ['x'.repeat(64), ['x'.repeat(65), 'x'.repeat(63)], 'x'.repeat(63)],
])('to %s among %j is %s', (word, known, expected) => {
  expect(nearest(word, known)).toBe(expected);
});
