import { expect, it } from 'vitest';
import { parseNetwork } from './network.js';

it.each([
  ['10.0.0.0/8', { address: '10.0.0.0', bits: 8, family: 'ipv4' }],
  ['0.0.0.0/0', { address: '0.0.0.0', bits: 0, family: 'ipv4' }],
  ['192.168.1.1', { address: '192.168.1.1', bits: 32, family: 'ipv4' }],
  ['fd00::/8', { address: 'fd00::', bits: 8, family: 'ipv6' }],
  ['::1', { address: '::1', bits: 128, family: 'ipv6' }],
])('%s is a network', (text, network) => {
  expect(parseNetwork(text)).toEqual(network);
});

it.each(['', 'example.com', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/x', '10.0.0.0/-1', '10.0.0.0/8/8', '/8'])(
  '"%s" is none',
  (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  },
);
