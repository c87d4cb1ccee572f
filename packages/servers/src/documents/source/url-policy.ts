import { addressKind, ipFamily, plainHost } from '@plugboard/base';
import { resolveName } from '../../send/resolve-name.js';
import { SendError } from '../../send/send-error.js';
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
export const checkUrl = (text: string, { mode, hosts }: UrlPolicy): URL => {
  if (!URL.canParse(text)) throw urlRefused('it cannot be read');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw urlRefused('only http and https are fetched');
  if (url.username !== '' || url.password !== '') throw urlRefused('it carries credentials');
  const host = plainHost(url.hostname);
  if (hosts.includes(host)) return url;
  if (mode === 'none') throw urlRefused('fetching URLs is disabled');
  const kind = addressKind(host);
  if (mode === 'public' && kind !== undefined && kind !== 'public') throw urlRefused('it leads to a private network');
  return url;
};

const resolved = (host: string): Promise<readonly string[]> =>
  resolveName(host).catch(() => {
    throw new SendError('CONNECTION_FAILED');
  });

/** The addresses behind a URL, as far as the policy allows; a name counts as private as soon as one of its addresses is. */
export const allowedAddresses = async (url: URL, policy: UrlPolicy): Promise<readonly string[]> => {
  const { hostname } = checkUrl(url.href, policy);
  const host = plainHost(hostname);
  const addresses = ipFamily(host) === undefined ? await resolved(host) : [host];
  const trusted = policy.mode === 'any' || policy.hosts.includes(host);
  if (!trusted && addresses.some((address) => addressKind(address) !== 'public')) {
    throw urlRefused('it leads to a private network');
  }
  return addresses;
};
