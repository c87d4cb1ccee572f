import { BlockList } from 'node:net';
import { ipFamily } from './ip-family.js';
import { type Network, parseNetwork } from './network.js';

/** Networks, and whether an address is in one of them. An IPv4 address is found in its IPv6-mapped form too. */
export class NetworkSet {
  readonly #list = new BlockList();

  /** Entries that are no networks are left out. */
  static of(entries: readonly string[]): NetworkSet {
    const set = new NetworkSet();
    for (const entry of entries) {
      const network = parseNetwork(entry);
      if (network !== undefined) set.add(network);
    }
    return set;
  }

  add({ address, bits, family }: Network): void {
    this.#list.addSubnet(address, bits, family);
  }

  has(address: string): boolean {
    const family = ipFamily(address);
    return family !== undefined && this.#list.check(address, family);
  }
}
