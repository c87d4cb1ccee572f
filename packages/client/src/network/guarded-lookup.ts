import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { UrlGuard } from './url-guard.js';

/** Resolves a name to all its addresses, like `dns.lookup` with `all`. */
export type ResolveAll = (
  host: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves names for a socket. The addresses that were judged are the ones that the socket connects to, so a name that
 * changes its mind in between gains nothing.
 */
export const guardedLookup =
  (guard: UrlGuard, resolve: ResolveAll = systemLookup): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      try {
        guard.checkResolved(
          host,
          addresses.map(({ address }) => address),
        );
      } catch (refusal) {
        callback(refusal as Error, '');
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
