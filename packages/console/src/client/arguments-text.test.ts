import { expect, it } from 'vitest';
import { hasMembers, readArguments } from './arguments-text.js';

it('reads arguments that are an object, and explains others', () => {
  expect(readArguments(' ')).toEqual({ args: {} });
  expect(readArguments('{"a": [1]}')).toEqual({ args: { a: [1] } });
  expect(readArguments('[1]')).toEqual({ problem: 'Arguments must be a JSON object.' });
  expect(readArguments('{')).toHaveProperty('problem');
});

it('knows a schema with members', () => {
  expect([{ properties: { a: {} } }, { properties: {} }, { properties: null }, {}, null, 3].map(hasMembers)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
