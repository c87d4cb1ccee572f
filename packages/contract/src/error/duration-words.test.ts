import { expect, it } from 'vitest';
import { durationWords } from './duration-words.js';

it.each([
  [100, '100 ms'],
  [999.4, '999 ms'],
  [1500, '1.5 s'],
  [30_003, '30 s'],
])('%d ms is said as %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
