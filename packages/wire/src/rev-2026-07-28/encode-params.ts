import { isJsonObject } from '../envelope/json-rpc.js';
import type { RequestIdentity } from '../revision/revision.js';
import { META_KEY } from '../revision/meta-key.js';

/** Adds the per-request metadata. A caller that relays somebody else's request keeps that request's own metadata. */
export const encodeParams = (revision: string, params: unknown, identity: RequestIdentity): unknown => {
  const given = isJsonObject(params) ? params : {};
  const meta = isJsonObject(given['_meta']) ? given['_meta'] : {};
  return {
    ...given,
    _meta: {
      [META_KEY.clientCapabilities]: identity.clientCapabilities,
      ...(identity.clientInfo === undefined ? {} : { [META_KEY.clientInfo]: identity.clientInfo }),
      ...(identity.logLevel === undefined ? {} : { [META_KEY.logLevel]: identity.logLevel }),
      ...meta,
      // The version belongs to the connection: it must equal the HTTP field.
      [META_KEY.protocolVersion]: revision,
    },
  };
};
