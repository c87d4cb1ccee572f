import { describe, expect, it } from 'vitest';
import { hideKey } from './hide-key.js';

const KEY = 'sk-hush-hush/1';

describe('hideKey', () => {
  it.each([
    ['as it is', KEY],
    ['in Base64', Buffer.from(KEY).toString('base64')],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
    ['in a URL', encodeURIComponent(KEY)],
  ])('hides a key %s', (_how, echo) => {
    expect(hideKey(`Incorrect key ${echo}.`, [undefined, KEY])).toBe('Incorrect key [redacted].');
  });
});
