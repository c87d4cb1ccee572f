import type { OAuthProtocol } from '@plugboard/contract';
import { chooseScope } from './scope.js';
import { startLogin } from './authorization-request.js';
import { discoverAuthorization } from './discover-authorization.js';
import type { OAuthHttp } from './oauth-http.js';
import { obtainClient } from './register-client.js';
import { revokeTokens } from './revoke-token.js';
import { exchangeCode, refreshTokens, requestClientCredentials } from './token-endpoint.js';

/** The steps over a given fetch and clock. */
export const createOAuthProtocol = (http: OAuthHttp): OAuthProtocol => ({
  discover: (question, signal) => discoverAuthorization(http, question, signal),
  obtainClient: (request, signal) => obtainClient(http, request, signal),
  chooseScope,
  startLogin,
  exchangeCode: (exchange, signal) => exchangeCode(http, exchange, signal),
  refresh: (question, signal) => refreshTokens(http, question, signal),
  clientCredentials: (question, signal) => requestClientCredentials(http, question, signal),
  revoke: (revocation, signal) => revokeTokens(http, revocation, signal),
});
