import { ipFamily, type IpFamily } from './ip-family.js';

/** A range of addresses: all that share the first bits with `address`. */
export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: IpFamily;
}

/** Reads an address, or a network such as `10.0.0.0/8`; undefined when the text is neither. */
export const parseNetwork = (text: string): Network | undefined => {
  const [address = '', given, ...more] = text.split('/');
  const family = ipFamily(address);
  if (family === undefined || more.length > 0) return undefined;
  const longest = family === 'ipv4' ? 32 : 128;
  if (given === undefined) return { address, bits: longest, family };
  return /^\d{1,3}$/u.test(given) && Number(given) <= longest ? { address, bits: Number(given), family } : undefined;
};
