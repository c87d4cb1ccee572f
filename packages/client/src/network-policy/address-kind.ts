import { BlockList, isIP, isIPv4 } from 'node:net';

/** What an address leads to. `metadata`: where clouds hand out the credentials of the machine. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'metadata';

type Range = readonly [network: string, bits: number];

const METADATA_V4 = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16'] as const;
const METADATA_V6 = ['fd00:ec2::254', 'fd00:ec2::23', 'fe80::a9fe:a9fe'] as const;

const LOOPBACK_V4: readonly Range[] = [['127.0.0.0', 8]];

/** Everything that the special-purpose registry of IPv4 does not call globally reachable. */
const RESERVED_V4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Inside 2000::/3: Teredo, benchmarks, ORCHID, documentation, 6to4. What they carry inside is not looked at. */
const RESERVED_V6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Prefixes behind which an IPv4 address stands: mapped, and translated by NAT64. */
const EMBEDDING = ['::ffff:', '64:ff9b::'] as const;
const EMBEDDED_BITS = 96;

const blockList = (v4: readonly Range[], v6: readonly Range[]): BlockList => {
  const list = new BlockList();
  for (const [network, bits] of v4) {
    list.addSubnet(network, bits, 'ipv4');
    for (const prefix of EMBEDDING) list.addSubnet(`${prefix}${network}`, EMBEDDED_BITS + bits, 'ipv6');
  }
  for (const [network, bits] of v6) list.addSubnet(network, bits, 'ipv6');
  return list;
};

const single = (addresses: readonly string[], bits: number): readonly Range[] =>
  addresses.map((address) => [address, bits]);

const metadata = blockList(single(METADATA_V4, 32), single(METADATA_V6, 128));
const loopback = blockList(LOOPBACK_V4, [['::1', 128]]);
const reserved = blockList(RESERVED_V4, RESERVED_V6);
const global = blockList(
  [['0.0.0.0', 0]],
  [
    ['2000::', 3],
    ['64:ff9b::', EMBEDDED_BITS],
  ],
);

/** The family that a block list wants to know; undefined when the text is no address. */
export const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined => {
  if (isIPv4(address)) return 'ipv4';
  return isIP(address) === 6 ? 'ipv6' : undefined;
};

/** Undefined when the text is no address. An address with a zone belongs to one link only. */
export const addressKind = (address: string): AddressKind | undefined => {
  const family = familyOf(address);
  if (family === undefined) return undefined;
  if (address.includes('%')) return 'private';
  if (metadata.check(address, family)) return 'metadata';
  if (loopback.check(address, family)) return 'loopback';
  return global.check(address, family) && !reserved.check(address, family) ? 'public' : 'private';
};
