import { expect, test } from 'vitest';
import { refusedRequest } from './refused-request.js';

const host = '127.0.0.1:4000';

test.each([
  ['/mcp', { host }],
  ['/mcp?a=//b', { host: 'localhost:4000' }],
  ['/', { host: '[::1]:4000', origin: 'http://[::1]:6274' }],
  ['/mcp', { host: 'LOCALHOST', origin: 'https://localhost' }],
])('%s with %j is served', (url, headers) => {
  expect(refusedRequest({ url, headers })).toBeUndefined();
});

test.each([
  ['/mcp', {}, 403],
  ['/mcp', { host: 'evil.example:4000' }, 403],
  ['/mcp', { host: '127.0.0.1.evil.example' }, 403],
  ['/mcp', { host: '127.evil.example' }, 403],
  ['/mcp', { host: 'localhost@evil.example' }, 403],
  ['/mcp', { host, origin: 'https://evil.example' }, 403],
  ['/mcp', { host, origin: 'http://localhost.evil.example' }, 403],
  ['/mcp', { host, origin: 'null' }, 403],
  ['//127.0.0.1:5000/admin', { host }, 400],
  [String.raw`/\127.0.0.1:5000/admin`, { host }, 400],
  ['http://127.0.0.1:5000/admin', { host }, 400],
  ['*', { host }, 400],
  ['', { host }, 400],
])('%s with %j is refused', (url, headers, status) => {
  expect(refusedRequest({ url, headers })).toBe(status);
});
