import type { IncomingMessage } from 'node:http';
import { PlugboardError } from '@plugboard/contract';
import { sameSecret } from '../credential/same-secret.js';
import { isOwnOrigin, isOwnSite } from './own-origin.js';
import type { WebSession } from './web-sessions.js';

/** The field that pages of ours send along with every request. */
export const CSRF_HEADER = 'x-plugboard-csrf';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * What a browser opens by itself, without fields of ours: streams of events, and reports in a new tab. They tell names only,
 * or have an id that nobody can guess.
 */
const OPENED = /^\/v1\/(?:events|mcp-servers\/connect\/[^/?]+|(?:checks|benchmarks)\/[^/?]+\/report)\/?(?:\?|$)/u;

const foreignPage = (): PlugboardError =>
  new PlugboardError('ORIGIN_REFUSED', 'Pages from other origins may not use the session of this browser.', {
    hint: 'Open the page of this hub itself.',
  });

const withoutProof = (): PlugboardError =>
  new PlugboardError('ORIGIN_REFUSED', 'A change with the session of a browser needs the CSRF token of the session.', {
    hint: {
      api: `Send the csrf_token that POST /v1/session returned as the header ${CSRF_HEADER}, or use a key.`,
      cli: 'Use a key: set PLUGBOARD_API_KEY.',
    },
  });

/** Throws when a browser says that the request comes from a page of somebody else. */
export const assertOwnPage = ({ headers }: IncomingMessage, publicUrl: string | undefined): void => {
  if (!isOwnSite(headers) || !isOwnOrigin(headers, publicUrl)) throw foreignPage();
};

const isProvenBy = ({ headers }: IncomingMessage, { csrf }: WebSession): boolean => {
  const given = headers[CSRF_HEADER];
  return typeof given === 'string' && sameSecret(given, csrf);
};

/**
 * May the request use the session of its browser? Browsers send cookies for any page, and to every port of a host: whatever
 * listens on another port of this machine can learn the cookie. So a request must also carry what only our pages know.
 * Throws for a change that does not; for others, the session counts as absent.
 */
export const mayUseSession = (
  request: IncomingMessage,
  session: WebSession,
  publicUrl: string | undefined,
): boolean => {
  if (SAFE.has(request.method ?? 'GET')) return isProvenBy(request, session) || OPENED.test(request.url ?? '');
  assertOwnPage(request, publicUrl);
  if (!isProvenBy(request, session)) throw withoutProof();
  return true;
};
