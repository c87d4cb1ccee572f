import { expect, it } from 'vitest';
import { isJsonObject } from './json-object.js';

it.each([{}, { a: 1 }, Object.create(null)])('%o is an object', (value) => {
  expect(isJsonObject(value)).toBe(true);
});

it.each([null, undefined, [], [{}], 'text', 0, true, () => ({})])('%o is none', (value) => {
  expect(isJsonObject(value)).toBe(false);
});
