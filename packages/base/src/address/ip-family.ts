import { isIP } from 'node:net';

export type IpFamily = 'ipv4' | 'ipv6';

/** The family of an address, as a `BlockList` takes it; undefined when the text is no address. */
export const ipFamily = (address: string): IpFamily | undefined => {
  const family = isIP(address);
  if (family === 0) return undefined;
  return family === 4 ? 'ipv4' : 'ipv6';
};
