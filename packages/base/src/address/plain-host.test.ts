import { expect, it } from 'vitest';
import { plainHost } from './plain-host.js';

it.each([
  ['[::1]', '::1'],
  ['LOCALHOST.', 'localhost'],
  ['api.example', 'api.example'],
  ['127.0.0.1', '127.0.0.1'],
  ['', ''],
])('%s is %s', (host, plain) => {
  expect(plainHost(host)).toBe(plain);
});
