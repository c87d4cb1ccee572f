import { isJsonObject } from '@plugboard/base';
import type { RequestIdentity } from '../revision/revision.js';
import { META_KEY } from '../revision/meta-key.js';

/** Adds the per-request metadata. A caller that relays somebody else's request keeps that request's own metadata. */
export const encodeParams = (revision: string, params: unknown, identity: RequestIdentity): unknown => {
  const given = isJsonObject(params) ? params : {};
  const meta: Record<string, unknown> = { [META_KEY.clientCapabilities]: identity.clientCapabilities };
  if (identity.clientInfo !== undefined) meta[META_KEY.clientInfo] = identity.clientInfo;
  if (identity.logLevel !== undefined) meta[META_KEY.logLevel] = identity.logLevel;
  if (isJsonObject(given['_meta'])) Object.assign(meta, given['_meta']);
  // The version belongs to the connection: it must equal the HTTP field.
  meta[META_KEY.protocolVersion] = revision;
  return { ...given, _meta: meta };
};
