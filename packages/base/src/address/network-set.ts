import { BlockList } from 'node:net';
import { ipFamily } from './ip-family.js';
import { type Network, parseNetwork } from './network.js';

/** Networks, and whether an address is in one of them. An IPv4 address is found in its IPv6-mapped form too. */
export class NetworkSet {
  readonly #list = new BlockList();
  /** Not read yet: most processes ask few of the sets that they have. */
  #unread: readonly string[] = [];

  /** Entries that are no networks are left out. */
  static of(entries: readonly string[]): NetworkSet {
    const set = new NetworkSet();
    set.#unread = entries;
    return set;
  }

  add({ address, bits, family }: Network): void {
    this.#list.addSubnet(address, bits, family);
  }

  has(address: string): boolean {
    for (const entry of this.#unread) {
      const network = parseNetwork(entry);
      if (network !== undefined) this.add(network);
    }
    this.#unread = [];
    const family = ipFamily(address);
    return family !== undefined && this.#list.check(address, family);
  }
}
