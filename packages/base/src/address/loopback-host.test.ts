import { expect, it } from 'vitest';
import { isLoopbackHost } from './loopback-host.js';

it.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '::ffff:127.0.0.1',
])('%s is this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

it.each([
  '0.0.0.0',
  '::',
  '127.999.0.1',
  '127.0.0.1.example',
  'api.localhost',
  'localhost.example',
  '64:ff9b::7f00:1',
  '',
])('%s is perhaps another', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
