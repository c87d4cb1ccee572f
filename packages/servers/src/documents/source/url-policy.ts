import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { addressKind, plainHost } from '@plugboard/base';
import { DocumentError } from '../document-error.js';

export const URL_MODES = ['public', 'any', 'none'] as const;
export type UrlMode = (typeof URL_MODES)[number];

export interface UrlPolicy {
  readonly mode: UrlMode;
  /** Hosts that are allowed wherever they are. */
  readonly hosts: readonly string[];
}

export const urlRefused = (why: string): DocumentError =>
  new DocumentError('URL_REFUSED', `The URL is refused: ${why}.`, 'Give the document as content or as a path.');

/** Refuses an address by its looks; names are judged again by what they resolve to. */
export const checkUrl = (text: string, { mode, hosts }: UrlPolicy, base?: URL): URL => {
  if (!URL.canParse(text, base?.href)) throw urlRefused('it cannot be read');
  const url = new URL(text, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw urlRefused('only http and https are fetched');
  if (url.username !== '' || url.password !== '') throw urlRefused('it carries credentials');
  const host = plainHost(url.hostname);
  if (hosts.includes(host)) return url;
  if (mode === 'none') throw urlRefused('URLs are not fetched here');
  const kind = addressKind(host);
  if (mode === 'public' && kind !== undefined && kind !== 'public') throw urlRefused('it leads to a private network');
  return url;
};

/** Resolves a name as the policy allows: the connection is made to the address that was judged, not to a later answer. */
export const policyLookup =
  ({ mode, hosts }: UrlPolicy): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const trusted = mode === 'any' || hosts.includes(plainHost(hostname));
      if (!trusted && addresses.some(({ address }) => addressKind(address) !== 'public')) {
        callback(urlRefused('it leads to a private network'), '');
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
