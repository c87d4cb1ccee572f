import { expect, test } from 'vitest';
import { secretMask } from './mask-secrets.js';

test('no secret of a target stays in a text, whole or without its scheme', () => {
  const mask = secretMask({
    headers: { Authorization: 'Bearer s3cret-token', 'X-Short': 'ab' },
    otherHeaders: { Authorization: 'Bearer other-token' },
    env: { API_KEY: 'key-of-the-env' },
  });
  expect(mask('Authorization: Bearer s3cret-token, echoed s3cret-token')).toBe(
    'Authorization: [secret], echoed [secret]',
  );
  expect(mask('other-token key-of-the-env ab')).toBe('[secret] [secret] ab');
});

test('no token that was given for the checks of OAuth stays in a text', () => {
  const authorization = { register: false, clientSecret: 'client-secret', narrowToken: 'narrow-token' };
  const mask = secretMask({ headers: {}, env: {}, authorization });
  expect(mask('client-secret narrow-token')).toBe('[secret] [secret]');
});
