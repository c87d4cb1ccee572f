import type { IncomingHttpHeaders } from 'node:http';
import { PlugboardError } from '@plugboard/contract';
import { isOwnOrigin, isOwnSite } from './own-origin.js';

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

const refused = (): PlugboardError =>
  new PlugboardError('ORIGIN_REFUSED', 'Pages from other origins may not use this hub.', {
    hint: 'Programs send no Origin header; pages must be loaded from this hub itself.',
  });

const isOpened = ({ method, headers }: PageRequest): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/**
 * Browsers say where a request comes from: in Origin, and in Sec-Fetch-Site also for images, frames and links. A page of
 * another origin gets nothing here, not even from another port of the same machine. Programs say neither.
 */
export const assertOwnSite = (request: PageRequest, { publicUrl, isPage }: PageRules): void => {
  const { headers } = request;
  if (!isOwnOrigin(headers, publicUrl)) throw refused();
  if (!isOwnSite(headers) && !(isPage && isOpened(request))) throw refused();
};
