import { expect, test } from 'vitest';
import { bodyTooLarge } from './body-too-large.js';

test.each([
  [4096, 'The body is larger than 4 KiB.'],
  [1000, 'The body is larger than 1000 bytes.'],
])('a body of more than %i bytes', (limit, message) => {
  expect(bodyTooLarge(limit)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message, details: { limit_bytes: limit } });
});
