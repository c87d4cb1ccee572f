import { expect, test } from 'vitest';
import { isIdempotentMethod, isIdempotentTool } from './idempotent.js';

test('methods that may be executed twice', () => {
  expect(['tools/list', 'resources/read', 'prompts/get', 'ping'].every(isIdempotentMethod)).toBe(true);
  expect(['tools/call', 'tasks/cancel', 'sampling/createMessage', 'vendor/x'].some(isIdempotentMethod)).toBe(false);
});

test('tools that may be executed twice say so', () => {
  expect(isIdempotentTool({ name: 'a', annotations: { readOnlyHint: true } })).toBe(true);
  expect(isIdempotentTool({ name: 'a', annotations: { idempotentHint: true } })).toBe(true);
  expect(isIdempotentTool({ name: 'a', annotations: { readOnlyHint: 'yes' } })).toBe(false);
  expect(isIdempotentTool({ name: 'a', annotations: [] })).toBe(false);
  expect(isIdempotentTool(undefined)).toBe(false);
});
