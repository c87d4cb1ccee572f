import { startLogin, type LoginRequest, type StartedLogin } from './authorization-request.js';
import {
  discoverAuthorization,
  type AuthorizationQuestion,
  type ServerAuthorization,
} from './discover-authorization.js';
import type { OAuthHttp } from './oauth-http.js';
import { obtainClient, type RegistrationRequest } from './register-client.js';
import type { RegisteredClient } from './registered-client.js';
import { revokeTokens, type Revocation } from './revoke-token.js';
import {
  exchangeCode,
  refreshTokens,
  requestClientCredentials,
  type ClientCredentialsQuestion,
  type CodeExchange,
  type RefreshQuestion,
} from './token-endpoint.js';
import type { TokenSet } from './token-set.js';

/** The steps of OAuth to an MCP server. They keep nothing: whoever calls them keeps the login. Failures are OAuthFailures. */
export interface OAuthProtocol {
  discover(question: AuthorizationQuestion, signal: AbortSignal): Promise<ServerAuthorization>;
  obtainClient(request: RegistrationRequest, signal: AbortSignal): Promise<RegisteredClient>;
  startLogin(request: LoginRequest): Promise<StartedLogin>;
  exchangeCode(exchange: CodeExchange, signal: AbortSignal): Promise<TokenSet>;
  refresh(question: RefreshQuestion, signal: AbortSignal): Promise<TokenSet>;
  clientCredentials(question: ClientCredentialsQuestion, signal: AbortSignal): Promise<TokenSet>;
  revoke(revocation: Revocation, signal: AbortSignal): Promise<boolean>;
}

/** The steps over a given fetch and clock. */
export const createOAuthProtocol = (http: OAuthHttp): OAuthProtocol => ({
  discover: (question, signal) => discoverAuthorization(http, question, signal),
  obtainClient: (request, signal) => obtainClient(http, request, signal),
  startLogin,
  exchangeCode: (exchange, signal) => exchangeCode(http, exchange, signal),
  refresh: (question, signal) => refreshTokens(http, question, signal),
  clientCredentials: (question, signal) => requestClientCredentials(http, question, signal),
  revoke: (revocation, signal) => revokeTokens(http, revocation, signal),
});
