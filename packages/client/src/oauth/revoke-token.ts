import type { Revocation } from '@plugboard/contract';
import { allowInsecureRequests, customFetch, revocationRequest } from 'oauth4webapi';
import { clientAuthentication } from './client-authentication.js';
import { libraryFetch, toLibraryClient, toLibraryServer } from './library-request.js';
import { OAuthFailure } from './oauth-failure.js';
import type { OAuthHttp } from './oauth-http.js';

/** Takes tokens back (RFC 7009). False when the authorization server offers no way to. */
export const revokeTokens = async (
  http: OAuthHttp,
  { metadata, client, tokens }: Revocation,
  signal: AbortSignal,
): Promise<boolean> => {
  if (metadata.revocation_endpoint === undefined) return false;
  const authentication = await clientAuthentication(client);
  // The refresh token first: most servers end the whole login with it.
  const all = [
    ['refresh_token', tokens.refreshToken],
    ['access_token', tokens.accessToken],
  ] as const;
  for (const [hint, token] of all) {
    if (token === undefined) continue;
    const response = await revocationRequest(
      toLibraryServer(metadata),
      toLibraryClient(client),
      authentication,
      token,
      {
        [customFetch]: libraryFetch(http),
        [allowInsecureRequests]: true,
        signal,
        additionalParameters: { token_type_hint: hint },
      },
    );
    if (!response.ok) {
      throw new OAuthFailure(
        'refused',
        `The authorization server did not revoke the token (HTTP status ${response.status}).`,
        {
          hint: 'Revoke it in the account settings of the server.',
          details: { http_status: response.status, issuer: metadata.issuer },
        },
      );
    }
  }
  return true;
};
