import { addressKind } from './address-kind.js';
import { plainHost } from './plain-host.js';

/** Whether only this machine can be meant: an address of loopback, or `localhost` itself. Other names may be resolved to anything. */
export const isLoopbackHost = (host: string): boolean => {
  const plain = plainHost(host);
  return plain === 'localhost' || addressKind(plain) === 'loopback';
};
