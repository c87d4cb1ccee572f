import { BlockList, isIP } from 'node:net';

const listOf = (ranges: readonly (readonly [string, number])[]): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4');
  return list;
};

const LOOPBACK = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);

/** Never the address of an API: this machine's metadata, everybody, nobody. */
const SPECIAL = listOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
]);

export type AddressClass = 'loopback' | 'special' | 'other';

const MAPPED = /^::ffff:(?<v4>\d+\.\d+\.\d+\.\d+)$/iu;

export const classOf = (address: string): AddressClass => {
  const v4 = MAPPED.exec(address)?.groups?.['v4'] ?? address;
  const family = isIP(v4) === 6 ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(v4, family)) return 'loopback';
  return SPECIAL.check(v4, family) ? 'special' : 'other';
};
