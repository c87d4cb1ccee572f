import type {
  TokenSet,
  TokenQuestion,
  CodeExchange,
  RefreshQuestion,
  ClientCredentialsQuestion,
} from '@plugboard/contract';
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  clientCredentialsGrantRequest,
  customFetch,
  refreshTokenGrantRequest,
} from 'oauth4webapi';
import { validateLoginAnswer } from './authorization-response.js';
import { clientAuthentication } from './client-authentication.js';
import { libraryFetch, toLibraryClient, toLibraryServer } from './library-request.js';
import type { OAuthHttp } from './oauth-http.js';
import { readAnswer } from './read-answer.js';
import { readTokenSet } from './token-set.js';

const optionsFor = (http: OAuthHttp, question: TokenQuestion, signal: AbortSignal) => ({
  [customFetch]: libraryFetch(http),
  [allowInsecureRequests]: true,
  signal,
  ...(question.resource === undefined ? {} : { additionalParameters: { resource: question.resource } }),
});

const secretsOf = ({ client }: TokenQuestion, ...others: readonly string[]): readonly string[] => [
  ...(client.clientSecret === undefined ? [] : [client.clientSecret]),
  ...others,
];

/** Checks the answer that the browser brought, and exchanges its code for tokens. */
export const exchangeCode = async (http: OAuthHttp, exchange: CodeExchange, signal: AbortSignal): Promise<TokenSet> => {
  const { metadata, client, codeVerifier, redirectUri } = exchange;
  const parameters = validateLoginAnswer(exchange);
  const at = http.now();
  const response = await authorizationCodeGrantRequest(
    toLibraryServer(metadata),
    toLibraryClient(client),
    await clientAuthentication(client),
    parameters,
    redirectUri,
    codeVerifier,
    optionsFor(http, exchange, signal),
  );
  const secrets = secretsOf(exchange, codeVerifier, parameters.get('code') ?? '');
  return readTokenSet(await readAnswer(response, { what: 'exchange the code', issuer: metadata.issuer, secrets }), at);
};

/** New tokens for an old refresh token. Where the server rotates, the old one is used up by this. */
export const refreshTokens = async (
  http: OAuthHttp,
  question: RefreshQuestion,
  signal: AbortSignal,
): Promise<TokenSet> => {
  const { metadata, client, refreshToken } = question;
  const at = http.now();
  const response = await refreshTokenGrantRequest(
    toLibraryServer(metadata),
    toLibraryClient(client),
    await clientAuthentication(client),
    refreshToken,
    optionsFor(http, question, signal),
  );
  const secrets = secretsOf(question, refreshToken);
  const answer = await readAnswer(response, { what: 'renew the token', issuer: metadata.issuer, secrets });
  // A server that does not rotate sends no new refresh token: the old one stays good.
  return { refreshToken, ...readTokenSet(answer, at) };
};

/** A token for Plugboard itself, without a person. */
export const requestClientCredentials = async (
  http: OAuthHttp,
  question: ClientCredentialsQuestion,
  signal: AbortSignal,
): Promise<TokenSet> => {
  const { metadata, client, scope, resource } = question;
  const at = http.now();
  const response = await clientCredentialsGrantRequest(
    toLibraryServer(metadata),
    toLibraryClient(client),
    await clientAuthentication(client),
    { ...(scope === undefined ? {} : { scope }), ...(resource === undefined ? {} : { resource }) },
    { [customFetch]: libraryFetch(http), [allowInsecureRequests]: true, signal },
  );
  const secrets = secretsOf(question);
  return readTokenSet(await readAnswer(response, { what: 'issue a token', issuer: metadata.issuer, secrets }), at);
};
