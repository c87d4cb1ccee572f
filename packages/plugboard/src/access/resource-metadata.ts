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

/** What a refused request is told about how to come back. */
export const challenge = (metadataUrl: string | undefined, sentCredentials: boolean): string =>
  [
    'Bearer realm="plugboard"',
    ...(sentCredentials ? ['error="invalid_token"'] : []),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ].join(', ');
