import { describe, expect, it } from 'vitest';
import { assertLocalHost } from './host-check.js';

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
