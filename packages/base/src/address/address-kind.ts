import { carriedAddress } from './carried-address.js';
import { ipFamily } from './ip-family.js';
import { NetworkSet } from './network-set.js';

/**
 * What an address leads to. `metadata`: where clouds hand out the credentials of the machine. `private`: hosts of a network
 * of one's own. `reserved`: nothing that answers under a name, such as the own link, everybody, examples.
 */
export type AddressKind = 'public' | 'loopback' | 'private' | 'reserved' | 'metadata';

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fe80::a9fe:a9fe',
] as const;

const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const;

const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'] as const;

/** Everything else that the special-purpose registries do not call globally reachable. */
const RESERVED = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Inside 2000::/3: Teredo, benchmarks, ORCHID; documentation; 6to4; documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
] as const;

/** Of IPv6, only this part is assigned to hosts of the internet. */
const GLOBAL = ['0.0.0.0/0', '2000::/3'] as const;

const metadata = NetworkSet.of(METADATA);
const loopback = NetworkSet.of(LOOPBACK);
const privateNetworks = NetworkSet.of(PRIVATE);
const reserved = NetworkSet.of(RESERVED);
const global = NetworkSet.of(GLOBAL);

/** Undefined when the text is no address. An address with a zone belongs to one link only. */
export const addressKind = (address: string): AddressKind | undefined => {
  const family = ipFamily(address);
  if (family === undefined) return undefined;
  const [plain = '', zone] = address.split('%');
  if (zone !== undefined) return addressKind(plain) === 'metadata' ? 'metadata' : 'reserved';
  if (loopback.has(plain)) return 'loopback';
  const carried = family === 'ipv6' ? carriedAddress(plain) : undefined;
  if (carried !== undefined) {
    const kind = addressKind(carried.address) ?? 'reserved';
    if (carried.carriage === 'mapped' || kind === 'metadata') return kind;
    // A translator leads to a loopback that is not ours.
    return carried.carriage === 'tunnelled' || kind === 'loopback' ? 'reserved' : kind;
  }
  if (metadata.has(plain)) return 'metadata';
  if (privateNetworks.has(plain)) return 'private';
  return global.has(plain) && !reserved.has(plain) ? 'public' : 'reserved';
};
