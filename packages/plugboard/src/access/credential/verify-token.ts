import type { TokenSettings } from '../../settings/access-settings.js';
import type { VerifyToken } from './access-gate.js';
import { Introspection } from './introspection.js';
import { refusedToken } from './token-claims.js';
import { createTokenVerifier, type DocumentFetch } from './token-verifier.js';

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/u;

/** JWTs are verified by the keys of their issuer, where those are known; the issuer is asked about all others. */
export const createVerifyToken = (settings: TokenSettings, fetch: DocumentFetch): VerifyToken => {
  const { jwksUri, introspection } = settings;
  const byKeys = jwksUri === undefined ? undefined : createTokenVerifier({ ...settings, jwksUri }, fetch);
  const byAsking =
    introspection === undefined
      ? undefined
      : new Introspection({ settings: { ...settings, introspection }, fetch, now: Date.now }).verify;
  return async (token) => {
    const verify = JWT.test(token) ? (byKeys ?? byAsking) : (byAsking ?? byKeys);
    if (verify === undefined) throw refusedToken('This hub accepts no tokens.');
    return verify(token);
  };
};
