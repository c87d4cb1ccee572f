import type { JsonObject } from '@plugboard/base';
import { firstDocument } from './fetch-document.js';
import { listMember, textMember } from './metadata-field.js';
import { OAuthFailure } from './oauth-failure.js';
import type { OAuthHttp } from './oauth-http.js';

/** What a server says of who authorizes requests to it (RFC 9728). */
export interface ProtectedResource {
  /** The server's name in requests for tokens (RFC 8707). */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopesSupported: readonly string[] | undefined;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The places of the document, in the order in which the specification has them tried. */
export const resourceMetadataPlaces = (serverUrl: string, named?: string): readonly string[] => {
  const { origin, pathname, search } = new URL(serverUrl);
  const path = pathname === '/' ? '' : pathname;
  const places = [...(path === '' ? [] : [`${origin}${WELL_KNOWN}${path}${search}`]), `${origin}${WELL_KNOWN}`];
  return [...new Set([...(named === undefined ? [] : [named]), ...places])];
};

/** Is the server part of that resource? Otherwise the document describes another server. */
export const resourceCovers = (resource: string, serverUrl: string): boolean => {
  if (!URL.canParse(resource)) return false;
  const claimed = new URL(resource);
  const server = new URL(serverUrl);
  const folder = claimed.pathname.endsWith('/') ? claimed.pathname : `${claimed.pathname}/`;
  return claimed.origin === server.origin && `${server.pathname}/`.startsWith(folder);
};

/** The server's URL as a resource identifier: no fragment, no slash for an empty path. */
export const canonicalResource = (serverUrl: string): string => {
  const url = new URL(serverUrl);
  url.hash = '';
  return url.pathname === '/' && url.search === '' ? url.origin : url.href;
};

const read = (document: JsonObject, serverUrl: string): ProtectedResource | undefined => {
  const resource = textMember(document, 'resource');
  if (resource === undefined) return undefined;
  if (!resourceCovers(resource, serverUrl)) {
    throw new OAuthFailure('rejected', 'The metadata of the server names another resource.', {
      hint: 'Check the URL of the server. If it is right, the operator of the server must correct its metadata.',
      details: { resource: resource.slice(0, 256) },
    });
  }
  return {
    resource,
    authorizationServers: listMember(document, 'authorization_servers') ?? [],
    scopesSupported: listMember(document, 'scopes_supported'),
  };
};

export interface ResourceQuestion {
  readonly serverUrl: string;
  /** Where the challenge says the document is. */
  readonly named?: string | undefined;
  readonly signal: AbortSignal;
}

/** The server's document; undefined when it has none. */
export const discoverResource = (
  http: OAuthHttp,
  { serverUrl, named, signal }: ResourceQuestion,
): Promise<ProtectedResource | undefined> => {
  const usable = named !== undefined && URL.canParse(named) ? named : undefined;
  return firstDocument(http, resourceMetadataPlaces(serverUrl, usable), {
    signal,
    accept: (document) => read(document, serverUrl),
  });
};
