import type { AuthorizationServerMetadata, LoginRequest, StartedLogin } from '@plugboard/contract';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import { OAuthFailure } from './oauth-failure.js';

const assertPkce = ({ issuer, code_challenge_methods_supported: methods }: AuthorizationServerMetadata): void => {
  if (methods?.includes('S256') === true) return;
  throw new OAuthFailure('unsupported', 'The authorization server does not advertise PKCE with S256.', {
    hint: 'Without PKCE a stolen code could be used. Ask its operator to add it.',
    details: { issuer },
  });
};

/** The URL that begins a login: authorization code with PKCE. */
export const startLogin = async (request: LoginRequest): Promise<StartedLogin> => {
  const { metadata, client } = request;
  if (metadata.authorization_endpoint === undefined) {
    throw new OAuthFailure('unsupported', 'The authorization server has no endpoint for people to log in at.', {
      hint: 'Use the grant client_credentials in the "oauth" settings of the server.',
    });
  }
  assertPkce(metadata);
  const codeVerifier = generateRandomCodeVerifier();
  const url = new URL(metadata.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    scope: request.scope,
    resource: request.resource,
    // OpenID Connect hands out refresh tokens only to those who were asked for consent.
    prompt: request.scope?.split(' ').includes('offline_access') === true ? 'consent' : undefined,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return { url: url.href, codeVerifier };
};
