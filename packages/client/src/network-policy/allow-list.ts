import { BlockList } from 'node:net';
import { type AddressKind, familyOf } from './address-kind.js';

/** The entries of an allow-list, sorted by what they can be held against. */
export interface AllowList {
  allowsName(name: string): boolean;
  allowsAddress(address: string, kind: AddressKind): boolean;
  /** Does the list name this very address or a network around it? */
  namesAddress(address: string): boolean;
}

const NETWORK = /^(?<network>[^/]+)\/(?<bits>\d{1,3})$/u;

const addNetwork = (networks: BlockList, entry: string): boolean => {
  const { network = entry, bits } = NETWORK.exec(entry)?.groups ?? {};
  const family = familyOf(network);
  if (family === undefined) return false;
  const longest = family === 'ipv4' ? 32 : 128;
  networks.addSubnet(network, Math.min(Number(bits ?? longest), longest), family);
  return true;
};

export const allowList = (entries: readonly string[]): AllowList => {
  const networks = new BlockList();
  const names = new Set<string>();
  const domains: string[] = [];
  const kinds = new Set<string>();
  for (const given of entries) {
    const entry = given
      .trim()
      .toLowerCase()
      .replace(/^\[|\]$|\.$/gu, '');
    if (entry === 'public' || entry === 'loopback') kinds.add(entry);
    else if (entry.startsWith('*.')) domains.push(entry.slice(1));
    else if (!addNetwork(networks, entry)) names.add(entry);
  }
  const namesAddress = (address: string): boolean => {
    const family = familyOf(address);
    return family !== undefined && networks.check(address, family);
  };
  return {
    namesAddress,
    allowsName: (name) => names.has(name) || domains.some((domain) => name.endsWith(domain)),
    allowsAddress: (address, kind) => kinds.has(kind) || namesAddress(address),
  };
};
