import type { IncomingMessage } from 'node:http';
import { PlugboardError } from '@plugboard/contract';
import { sameSecret } from '../credential/same-secret.js';
import { isOwnOrigin, isOwnSite } from './own-origin.js';
import type { WebSession } from './web-sessions.js';

/** The field that pages of ours send along with every change. */
export const CSRF_HEADER = 'x-plugboard-csrf';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const foreignPage = (): PlugboardError =>
  new PlugboardError('ORIGIN_REFUSED', 'Pages from other origins may not use the session of this browser.', {
    hint: 'Open the page of this hub itself.',
  });

const withoutProof = (): PlugboardError =>
  new PlugboardError('ORIGIN_REFUSED', 'A change with the session of a browser needs the CSRF token of the session.', {
    hint: {
      api: `Send the csrf_token of GET /v1/session as the header ${CSRF_HEADER}, or use a key.`,
      cli: 'Use a key: set PLUGBOARD_API_KEY.',
    },
  });

/** Throws when a browser says that the request comes from a page of somebody else. */
export const assertOwnPage = ({ headers }: IncomingMessage, publicUrl: string | undefined): void => {
  if (!isOwnSite(headers) || !isOwnOrigin(headers, publicUrl)) throw foreignPage();
};

/** Browsers send cookies for any page: a change must also carry what only our pages know. */
export const assertOwnChange = (
  request: IncomingMessage,
  { csrf }: WebSession,
  publicUrl: string | undefined,
): void => {
  if (SAFE.has(request.method ?? 'GET')) return;
  assertOwnPage(request, publicUrl);
  const given = request.headers[CSRF_HEADER];
  if (typeof given !== 'string' || !sameSecret(given, csrf)) throw withoutProof();
};
