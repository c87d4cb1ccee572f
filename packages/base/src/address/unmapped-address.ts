import { carriedAddress } from './carried-address.js';
import { ipFamily } from './ip-family.js';

/** The IPv4 address that an IPv6-mapped one means, as sockets for both families report it; any other text as it is. */
export const unmappedAddress = (address: string): string => {
  if (ipFamily(address) !== 'ipv6' || address.includes('%')) return address;
  const carried = carriedAddress(address);
  return carried?.carriage === 'mapped' ? carried.address : address;
};
