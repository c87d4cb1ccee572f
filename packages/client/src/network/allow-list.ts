import { type AddressKind, NetworkSet, parseNetwork, plainHost } from '@plugboard/base';

/** The entries of an allow-list, sorted by what they can be held against. */
export interface AllowList {
  allowsName(name: string): boolean;
  allowsAddress(address: string, kind: AddressKind): boolean;
  /** Does the list name this very address or a network around it? */
  namesAddress(address: string): boolean;
}

export const allowList = (entries: readonly string[]): AllowList => {
  const networks = new NetworkSet();
  const names = new Set<string>();
  const domains: string[] = [];
  const kinds = new Set<string>();
  for (const given of entries) {
    const entry = plainHost(given.trim());
    if (entry === 'public' || entry === 'loopback') {
      kinds.add(entry);
    } else if (entry.startsWith('*.')) {
      domains.push(entry.slice(1));
    } else {
      const network = parseNetwork(entry);
      if (network === undefined) names.add(entry);
      else networks.add(network);
    }
  }
  const namesAddress = (address: string): boolean => networks.has(address);
  return {
    namesAddress,
    allowsName: (name) => names.has(name) || domains.some((domain) => name.endsWith(domain)),
    allowsAddress: (address, kind) => kinds.has(kind) || namesAddress(address),
  };
};
