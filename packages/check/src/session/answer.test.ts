import { expect, test } from 'vitest';
import { describe as described, errorWords } from './answer.js';

test('an error is one line of a bounded length, whatever the server put into it', () => {
  const message = `[\n  {\n    "code": "invalid_type"\n  }\n]`;
  expect(errorWords({ code: -32_603, message })).toBe('error -32603 "[ { "code": "invalid_type" } ]"');
  expect(errorWords({ code: 1, message: 'x'.repeat(5_000) }).length).toBeLessThan(250);
  expect(errorWords({ code: undefined, message: undefined })).toBe('error missing "missing"');
  const error = { code: -32_603, message: 'a\nb', data: undefined };
  expect(described({ result: undefined, error, http: undefined })).toBe('error -32603 "a b"');
});
