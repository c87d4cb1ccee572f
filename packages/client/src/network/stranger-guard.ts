import { addressKind, plainHost } from '@plugboard/base';
import type { PlugboardError } from '@plugboard/contract';
import type { StrangerRules } from './guarded-fetch.js';
import { hostNameKind } from './host-name-kind.js';
import { urlRefused } from './refusal.js';
import type { UrlGuard } from './url-guard.js';

export const ownPlace = (host: string): PlugboardError => urlRefused(host, 'it is this hub itself');

const isLocalName = (host: string): boolean => hostNameKind(plainHost(host)) === 'loopback';

/** What can be told without a connection: where a proxy makes it, nobody else looks. */
export const leadsHome = (url: URL, { isOwnAddress, isOwnUrl }: StrangerRules): boolean => {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return isOwnUrl(url) || isOwnAddress(isLocalName(url.hostname) ? '127.0.0.1' : plainHost(url.hostname), port);
};

/**
 * The same guard for a host and port that a stranger named: it must not lead back to the hub, under whatever name, and a
 * name that does not say so must not lead to this machine.
 */
export const strangerGuard = (
  guard: UrlGuard,
  { isOwnAddress }: Pick<StrangerRules, 'isOwnAddress'>,
  port: number,
): UrlGuard => ({
  ...guard,
  checkHost: (host) => {
    guard.checkHost(host);
    if (addressKind(plainHost(host)) !== undefined && isOwnAddress(plainHost(host), port)) throw ownPlace(host);
  },
  checkResolved: (host, addresses) => {
    guard.checkResolved(host, addresses);
    if (addresses.some((address) => isOwnAddress(address, port))) throw ownPlace(host);
    if (!isLocalName(host) && addresses.some((address) => addressKind(address) === 'loopback')) {
      throw urlRefused(host, 'the name leads to this machine');
    }
  },
});
