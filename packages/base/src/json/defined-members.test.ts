import { expect, it } from 'vitest';
import { definedMembers } from './defined-members.js';

it('leaves out what is undefined, and nothing else', () => {
  const members = definedMembers({ name: 'a', count: 0, note: '', off: false, nothing: null, missing: undefined });
  expect(members).toStrictEqual({ name: 'a', count: 0, note: '', off: false, nothing: null });
});

it('leaves its argument as it is', () => {
  const given = Object.freeze({ kept: 1, missing: undefined });
  expect(definedMembers(given)).toStrictEqual({ kept: 1 });
  expect(Object.keys(given)).toEqual(['kept', 'missing']);
});
