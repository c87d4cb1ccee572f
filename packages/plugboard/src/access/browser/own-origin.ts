import type { IncomingHttpHeaders } from 'node:http';

const OWN_SITE: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Does Origin name this hub, by the host that was asked or by its public URL? Programs send none, and count as our own.
 * Another port of the same machine is another origin.
 */
export const isOwnOrigin = ({ origin, host }: IncomingHttpHeaders, publicUrl: string | undefined): boolean => {
  if (origin === undefined) return true;
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
  if (parsed === undefined) return false;
  return parsed.host === host || (publicUrl !== undefined && parsed.origin === new URL(publicUrl).origin);
};

/** Does the browser say that a page of ours, or a person, made the request? Programs do not say. */
export const isOwnSite = (headers: IncomingHttpHeaders): boolean => {
  const site = headers['sec-fetch-site'];
  return site === undefined || (typeof site === 'string' && OWN_SITE.has(site));
};
