import { ipv6Groups } from './ipv6-groups.js';

/**
 * How an IPv6 address carries an IPv4 address. `mapped`: the two are one address, in another notation. `translated`: NAT64
 * leads there from elsewhere. `tunnelled`: relays or ways of translation that no public server uses any more.
 */
export type Carriage = 'mapped' | 'translated' | 'tunnelled';

export interface CarriedAddress {
  readonly address: string;
  readonly carriage: Carriage;
}

interface Carrier {
  readonly prefix: readonly number[];
  readonly carriage: Carriage;
}

/** Prefixes in groups of 16 bits; the IPv4 address follows as the next two groups. */
const CARRIERS: readonly Carrier[] = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], carriage: 'mapped' },
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], carriage: 'translated' },
  // 6to4.
  { prefix: [0x2002], carriage: 'tunnelled' },
  // IPv4-compatible, and IPv4-translated.
  { prefix: [0, 0, 0, 0, 0, 0], carriage: 'tunnelled' },
  { prefix: [0, 0, 0, 0, 0xffff, 0], carriage: 'tunnelled' },
  // The usual part of the prefix of NAT64 for local use.
  { prefix: [0x64, 0xff9b, 1, 0, 0, 0], carriage: 'tunnelled' },
];

const dotted = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');

/** The IPv4 address inside a valid IPv6 address without a zone; undefined when it carries none. */
export const carriedAddress = (ipv6: string): CarriedAddress | undefined => {
  const groups = ipv6Groups(ipv6);
  for (const { prefix, carriage } of CARRIERS) {
    if (prefix.every((group, position) => groups[position] === group)) {
      const [high = 0, low = 0] = groups.slice(prefix.length);
      return { address: dotted(high, low), carriage };
    }
  }
  return undefined;
};
