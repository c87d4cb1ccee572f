import type { IncomingMessage } from 'node:http';

const LOCAL_HOST = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?$/iu;
const LOCAL_PAGE = /^https?:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?$/iu;
const ORIGIN_FORM = /^\/(?![/\\])/u;

/** The status that refuses a request to a listener of this machine; undefined when a local client sent it. A page of a stranger must not reach it, whatever name it found for this address. */
export const refusedRequest = ({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): 400 | 403 | undefined => {
  const { host, origin } = headers;
  if (host === undefined || !LOCAL_HOST.test(host)) return 403;
  if (origin !== undefined && !LOCAL_PAGE.test(origin)) return 403;
  return ORIGIN_FORM.test(url ?? '') ? undefined : 400;
};
