import type { Role } from '@plugboard/contract';
import type { TokenSettings } from '../settings/access-settings.js';

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Is this where clients look for the description of us as a protected resource (RFC 9728)? */
export const isMetadataPath = (segments: readonly string[]): boolean =>
  segments[0] === '.well-known' && segments[1] === 'oauth-protected-resource';

/** Says which authorization server issues tokens for this hub. */
export const resourceMetadata = ({ audience, issuer }: TokenSettings) => ({
  resource: audience,
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  scopes_supported: ['plugboard:admin', 'plugboard:operator', 'plugboard:agent', 'plugboard:viewer'],
  resource_name: 'Plugboard',
});

/** The least that would do is asked for. */
const BY_MODESTY: readonly Role[] = ['agent', 'viewer', 'operator', 'admin'];

/** What a request whose token allows too little is told (RFC 6750). */
export const scopeChallenge = (metadataUrl: string, roles: readonly Role[]): string => {
  const wanted = BY_MODESTY.find((role) => roles.includes(role));
  return [
    'Bearer realm="plugboard"',
    'error="insufficient_scope"',
    ...(wanted === undefined ? [] : [`scope="plugboard:${wanted}"`]),
    `resource_metadata="${metadataUrl}"`,
  ].join(', ');
};

/** What a refused request is told about how to come back. */
export const challenge = (metadataUrl: string | undefined, sentCredentials: boolean): string =>
  [
    'Bearer realm="plugboard"',
    ...(sentCredentials ? ['error="invalid_token"'] : []),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ].join(', ');
