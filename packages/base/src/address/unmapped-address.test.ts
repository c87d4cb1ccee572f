import { expect, it } from 'vitest';
import { unmappedAddress } from './unmapped-address.js';

it.each([
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:10.0.0.1', '10.0.0.1'],
  ['::ffff:a00:1', '10.0.0.1'],
  ['64:ff9b::a00:1', '64:ff9b::a00:1'],
  ['10.0.0.1', '10.0.0.1'],
  ['::1', '::1'],
  ['::ffff:a00:1%eth0', '::ffff:a00:1%eth0'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is %s', (address, plain) => {
  expect(unmappedAddress(address)).toBe(plain);
});
