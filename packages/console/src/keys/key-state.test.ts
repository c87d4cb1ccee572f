import { expect, it } from 'vitest';
import { expiryIn, keyState } from './key-state.js';

it('tells how a key is', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');
  expect(keyState({ revoked_at: null, expires_at: null }, now).word).toBe('Active');
  expect(keyState({ revoked_at: null, expires_at: '2026-01-01T00:00:00Z' }, now).word).toBe('Expired');
  expect(keyState({ revoked_at: '2026-01-01T00:00:00Z', expires_at: null }, now).word).toBe('Revoked');
  expect([expiryIn('', now), expiryIn('7', now)]).toEqual([null, '2026-01-09T00:00:00.000Z']);
});
