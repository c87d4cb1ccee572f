import { expect, it } from 'vitest';
import { ipFamily } from './ip-family.js';

it.each([
  ['127.0.0.1', 'ipv4'],
  ['::1', 'ipv6'],
  ['fe80::1%eth0', 'ipv6'],
  ['[::1]', undefined],
  ['127.1', undefined],
  ['localhost', undefined],
  ['', undefined],
])('%s is %s', (address, family) => {
  expect(ipFamily(address)).toBe(family);
});
