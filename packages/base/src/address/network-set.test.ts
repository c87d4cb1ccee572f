import { expect, it } from 'vitest';
import { NetworkSet } from './network-set.js';

const networks = NetworkSet.of(['10.0.0.0/8', '192.168.1.1', 'fd00::/8', 'nonsense', '1.1.1.1/99']);

it.each(['10.255.0.1', '192.168.1.1', 'fd12::1', '::ffff:10.0.0.1', '::ffff:a00:1'])('%s is in it', (address) => {
  expect(networks.has(address)).toBe(true);
});

it.each(['11.0.0.1', '192.168.1.2', 'fe80::1', '1.1.1.1', 'nonsense', ''])('"%s" is not', (address) => {
  expect(networks.has(address)).toBe(false);
});

it('takes networks later', () => {
  const set = NetworkSet.of([]);
  expect(set.has('8.8.8.8')).toBe(false);
  set.add({ address: '8.8.8.0', bits: 24, family: 'ipv4' });
  expect(set.has('8.8.8.8')).toBe(true);
});
