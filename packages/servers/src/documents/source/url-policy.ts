import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { DocumentError } from '../document-error.js';
import { isPrivateAddress } from './private-address.js';

export const URL_MODES = ['public', 'any', 'none'] as const;
export type UrlMode = (typeof URL_MODES)[number];

export interface UrlPolicy {
  readonly mode: UrlMode;
  /** Hosts that are allowed wherever they are. */
  readonly hosts: readonly string[];
}

export const urlRefused = (why: string): DocumentError =>
  new DocumentError('URL_REFUSED', `The URL is refused: ${why}.`, 'Give the document as content or as a path.');

const bare = (hostname: string): string => hostname.replaceAll(/^\[|\]$/gu, '').toLowerCase();

/** Refuses an address by its looks; names are judged again by what they resolve to. */
export const checkUrl = (text: string, { mode, hosts }: UrlPolicy, base?: URL): URL => {
  if (!URL.canParse(text, base?.href)) throw urlRefused('it cannot be read');
  const url = new URL(text, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw urlRefused('only http and https are fetched');
  if (url.username !== '' || url.password !== '') throw urlRefused('it carries credentials');
  const host = bare(url.hostname);
  if (hosts.includes(host)) return url;
  if (mode === 'none') throw urlRefused('URLs are not fetched here');
  if (mode === 'public' && isIP(host) !== 0 && isPrivateAddress(host))
    throw urlRefused('it leads to a private network');
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
      const trusted = mode === 'any' || hosts.includes(bare(hostname));
      if (!trusted && addresses.some(({ address }) => isPrivateAddress(address))) {
        callback(urlRefused('it leads to a private network'), '');
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
