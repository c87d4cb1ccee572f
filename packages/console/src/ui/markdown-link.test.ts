import { expect, it } from 'vitest';
import { linkTarget } from './markdown-link.js';

it.each([
  ['https://example.com/a?b', 'https://example.com/a?b'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['javascript:alert(1)', undefined],
  [' JavaScript:alert(1)', undefined],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['vbscript:x', undefined],
  ['#/keys', undefined],
  ['/v1/session', undefined],
  ['//example.com', undefined],
  ['', undefined],
])('%j leads to %j', (address, target) => {
  expect(linkTarget(address)).toBe(target);
});
