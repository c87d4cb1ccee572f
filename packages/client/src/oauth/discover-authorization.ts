import type { AuthorizationServerMetadata, ServerAuthorization, AuthorizationQuestion } from '@plugboard/contract';
import { discoverIssuer } from './authorization-server.js';
import { bearerChallenge } from '../error/challenge.js';
import { OAuthFailure } from './oauth-failure.js';
import type { OAuthHttp } from './oauth-http.js';
import { canonicalResource, discoverResource } from './protected-resource.js';
import { assertNotLedHome } from './secure-url.js';

const ENDPOINTS = ['token_endpoint', 'authorization_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const;

const noAuthorization = (serverUrl: string): OAuthFailure =>
  new OAuthFailure('unsupported', `${new URL(serverUrl).host} publishes no OAuth metadata.`, {
    hint: 'Put a token or key into the config of the server, or ask its operator for its OAuth metadata.',
  });

/** Several may be named: the first that can be used is. What is wrong with the others matters only when none can. */
const firstUsable = async (
  http: OAuthHttp,
  issuers: readonly string[],
  signal: AbortSignal,
): Promise<AuthorizationServerMetadata | undefined> => {
  let failure: unknown;
  for (const issuer of issuers) {
    try {
      const metadata = await discoverIssuer(http, issuer, signal);
      if (metadata !== undefined) return metadata;
    } catch (thrown) {
      signal.throwIfAborted();
      failure ??= thrown;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
};

/** Finds out where a server wants its callers to be authorized: RFC 9728, then RFC 8414 or OpenID Connect. */
export const discoverAuthorization = async (
  http: OAuthHttp,
  { serverUrl, challenge }: AuthorizationQuestion,
  signal: AbortSignal,
): Promise<ServerAuthorization> => {
  const named = bearerChallenge(challenge)?.resourceMetadata;
  if (named !== undefined) assertNotLedHome(named, serverUrl, 'address of a metadata document');
  const described = await discoverResource(http, { serverUrl, named, signal });
  const issuers = described?.authorizationServers ?? [];
  for (const issuer of issuers) assertNotLedHome(issuer, serverUrl, 'authorization server');
  // Servers of 2025-03-26 have no metadata of their own and are their own authorization servers.
  const metadata = await firstUsable(http, issuers.length > 0 ? issuers : [new URL(serverUrl).origin], signal);
  if (metadata === undefined) throw noAuthorization(serverUrl);
  for (const name of ENDPOINTS) assertNotLedHome(metadata[name] ?? '', serverUrl, name.replaceAll('_', ' '));
  return {
    resource: described?.resource ?? canonicalResource(serverUrl),
    ...(described?.scopesSupported === undefined ? {} : { scopesSupported: described.scopesSupported }),
    metadata,
  };
};
