import type { JsonObject } from '@plugboard/base';
import type { AuthorizationServerMetadata } from '@plugboard/contract';
import { firstDocument } from './fetch-document.js';
import { flagMember, listMember, textMember } from './metadata-field.js';
import { OAuthFailure } from './oauth-failure.js';
import type { OAuthHttp } from './oauth-http.js';
import { secureUrl } from './secure-url.js';

/** The places of the metadata, in the order in which the specification has them tried. */
export const issuerMetadataPlaces = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/u, '');
  return path === ''
    ? [`${origin}/.well-known/oauth-authorization-server`, `${origin}/.well-known/openid-configuration`]
    : [
        `${origin}/.well-known/oauth-authorization-server${path}`,
        `${origin}/.well-known/openid-configuration${path}`,
        `${origin}${path}/.well-known/openid-configuration`,
      ];
};

const ENDPOINTS = ['authorization_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const;
const LISTS = [
  'scopes_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
] as const;
const FLAGS = ['authorization_response_iss_parameter_supported', 'client_id_metadata_document_supported'] as const;

const read = (document: JsonObject, issuer: string): AuthorizationServerMetadata | undefined => {
  const said = textMember(document, 'issuer');
  const tokenEndpoint = textMember(document, 'token_endpoint');
  if (said === undefined || tokenEndpoint === undefined) return undefined;
  // Letter for letter: a look-alike is another issuer.
  if (said !== issuer) {
    throw new OAuthFailure('rejected', 'The metadata of the authorization server names another issuer.', {
      hint: 'Its operator must correct the metadata: the issuer must equal the URL under which it was found.',
      details: { expected: issuer, received: said.slice(0, 256) },
    });
  }
  const present = <Name extends string, Value>(names: readonly Name[], member: (name: Name) => Value | undefined) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = member(name);
        return value === undefined ? [] : [[name, value] as const];
      }),
    ) as Partial<Record<Name, Value>>;
  return {
    issuer,
    token_endpoint: secureUrl(tokenEndpoint, 'token endpoint').href,
    ...present(ENDPOINTS, (name) => {
      const endpoint = textMember(document, name);
      return endpoint === undefined ? undefined : secureUrl(endpoint, name.replaceAll('_', ' ')).href;
    }),
    ...present(LISTS, (name) => listMember(document, name)),
    ...present(FLAGS, (name) => flagMember(document, name) || undefined),
  };
};

/** The metadata of one authorization server; undefined when it publishes none. */
export const discoverIssuer = (
  http: OAuthHttp,
  issuer: string,
  signal: AbortSignal,
): Promise<AuthorizationServerMetadata | undefined> => {
  secureUrl(issuer, 'authorization server');
  return firstDocument(http, issuerMetadataPlaces(issuer), { signal, accept: (document) => read(document, issuer) });
};
