import { describe, expect, it } from 'vitest';
import { assertLocalHost, assertPlainHost } from './host-check.js';

describe('assertLocalHost', () => {
  it.each(['127.0.0.1:2091', 'localhost:2091', '[::1]:2091', 'LOCALHOST', undefined])('lets %j in', (host) => {
    expect(() => assertLocalHost({ host })).not.toThrow();
  });

  it.each(['evil.example', 'localhost.evil.example:2091', '127.0.0.1.nip.io', 'user@evil.example', ''])(
    'keeps %j out',
    (host) => {
      expect(() => assertLocalHost({ host })).toThrow(expect.objectContaining({ code: 'ORIGIN_REFUSED' }));
    },
  );
});

describe('assertPlainHost', () => {
  it.each([
    'hub.example',
    'HUB_1.example:443',
    '10.0.0.1:2091',
    '[2001:db8::1]:2091',
    '[::1]',
    'xn--4ca.example',
    undefined,
  ])('lets %j in', (host) => {
    expect(() => assertPlainHost({ host })).not.toThrow();
  });

  it.each([
    '\u00E4.\u00E4/v1/keys#abc',
    '127.1/v1',
    'user@hub.example',
    'hub.example?',
    'hub.example#',
    'a b',
    '[::1',
    '',
  ])('keeps %j out', (host) => {
    expect(() => assertPlainHost({ host })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
