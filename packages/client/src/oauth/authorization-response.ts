import type { AuthorizationServerMetadata, RegisteredClient } from '@plugboard/contract';
import { AuthorizationResponseError, validateAuthResponse } from 'oauth4webapi';
import { toLibraryClient, toLibraryServer } from './library-request.js';
import { OAuthFailure } from './oauth-failure.js';
import { quotable } from './read-answer.js';

export interface LoginAnswer {
  readonly metadata: AuthorizationServerMetadata;
  readonly client: RegisteredClient;
  readonly state: string;
  readonly answer: URLSearchParams;
}

const refusal = (thrown: AuthorizationResponseError): OAuthFailure => {
  const description = thrown.error_description === undefined ? '' : `: ${quotable(thrown.error_description, [])}`;
  return new OAuthFailure('refused', `The login was refused (${quotable(thrown.error, [])}${description}).`, {
    hint: thrown.error === 'access_denied' ? 'Access was declined at the login. Try again.' : undefined,
    oauthError: quotable(thrown.error, []),
  });
};

/**
 * The answer that a browser brought back, when it is ours and comes from the authorization server that we asked: `iss`
 * (RFC 9207) is compared letter for letter, and nothing of an answer from elsewhere is used or shown.
 */
export const validateLoginAnswer = ({ metadata, client, state, answer }: LoginAnswer): URLSearchParams => {
  try {
    const parameters = validateAuthResponse(toLibraryServer(metadata), toLibraryClient(client), answer, state);
    if (parameters.get('code') === null) throw new OAuthFailure('rejected', 'The authorization server sent no code.');
    return parameters;
  } catch (thrown) {
    if (thrown instanceof OAuthFailure) throw thrown;
    if (thrown instanceof AuthorizationResponseError) throw refusal(thrown);
    throw new OAuthFailure('rejected', 'The login response comes from another authorization server.', {
      hint: 'Start the login again. If this happens again, the authorization server sends a wrong issuer ("iss").',
      details: { expected_issuer: metadata.issuer },
    });
  }
};
