import { describe, expect, it } from 'vitest';
import { assertLocalCaller } from './host-check.js';

describe('assertLocalCaller', () => {
  it.each([
    [{ host: '127.0.0.1:2091' }],
    [{ host: 'localhost:2091' }],
    [{ host: '[::1]:2091' }],
    [{ host: 'LOCALHOST' }],
    [{}],
    [{ host: 'localhost:2091', origin: 'http://localhost:2091' }],
    [{ host: '127.0.0.1', origin: 'http://[::1]:5173' }],
  ])('lets %j in', (headers) => {
    expect(() => assertLocalCaller(headers)).not.toThrow();
  });

  it.each([
    [{ host: 'evil.example' }],
    [{ host: 'localhost.evil.example:2091' }],
    [{ host: '127.0.0.1.nip.io' }],
    [{ host: 'user@evil.example' }],
    [{ host: '' }],
    [{ host: 'localhost', origin: 'https://evil.example' }],
    [{ host: 'localhost', origin: 'null' }],
    [{ host: 'localhost', origin: 'http://localhost.evil.example' }],
  ])('keeps %j out', (headers) => {
    expect(() => assertLocalCaller(headers)).toThrow(expect.objectContaining({ code: 'ORIGIN_REFUSED' }));
  });
});
