import { expect, it } from 'vitest';
import { scrollToShow } from './scroll-to-show.js';

const row = { offsetLeft: 10, offsetWidth: 300, clientWidth: 300 };

it.each([
  ['stays where the part is in sight already', 0, { offsetLeft: 110, offsetWidth: 80 }, 0],
  ['shows a part that is beyond the right end', 0, { offsetLeft: 410, offsetWidth: 80 }, 204],
  ['shows a part that is beyond the left end', 250, { offsetLeft: 110, offsetWidth: 80 }, 76],
  ['does not go beyond the start', 250, { offsetLeft: 10, offsetWidth: 80 }, 0],
])('%s', (_what, scrollLeft, part, expected) => {
  expect(scrollToShow({ ...row, scrollLeft }, part)).toBe(expected);
});
