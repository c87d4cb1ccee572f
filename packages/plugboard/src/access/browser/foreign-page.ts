import type { IncomingHttpHeaders } from 'node:http';
import { PlugboardError } from '@plugboard/contract';

export interface PageRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface PageRules {
  /** Where browsers reach the hub, when that is not where it listens. */
  readonly publicUrl: string | undefined;
  /** Is this one of the pages that people open by a link from elsewhere: documentation, login, the end of a login? */
  readonly isPage: boolean;
}

const OWN_SITE: ReadonlySet<string> = new Set(['same-origin', 'none']);

const refused = (): PlugboardError =>
  new PlugboardError('ORIGIN_REFUSED', 'Pages from other origins may not use this hub.', {
    hint: 'Programs send no Origin header; pages must be loaded from this hub itself.',
  });

const isOwnOrigin = (origin: string, host: string | undefined, publicUrl: string | undefined): boolean => {
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
  if (parsed === undefined) return false;
  return parsed.host === host || (publicUrl !== undefined && parsed.origin === new URL(publicUrl).origin);
};

const isOpened = ({ method, headers }: PageRequest): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/**
 * Browsers say where a request comes from: in Origin, and in Sec-Fetch-Site also for images, frames and links. A page of
 * another origin gets nothing here, not even from another port of the same machine. Programs say neither.
 */
export const assertOwnSite = (request: PageRequest, { publicUrl, isPage }: PageRules): void => {
  const { origin, host } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, host, publicUrl)) throw refused();
  const site = request.headers['sec-fetch-site'];
  if (site === undefined || OWN_SITE.has(site) || (isPage && isOpened(request))) return;
  throw refused();
};
