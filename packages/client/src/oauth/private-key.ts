import { definedMembers } from '@plugboard/base';
import { createPrivateKey, webcrypto, type JsonWebKey } from 'node:crypto';
import type { PrivateKey } from 'oauth4webapi';
import { OAuthFailure } from './oauth-failure.js';

interface KeyJwk extends JsonWebKey {
  readonly kid?: string;
}

const algorithmOf = ({ kty, crv }: JsonWebKey) => {
  if (kty === 'RSA') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (kty === 'EC' && crv !== undefined) return { name: 'ECDSA', namedCurve: crv };
  if (kty === 'OKP' && crv === 'Ed25519') return { name: 'Ed25519' };
  throw new OAuthFailure('unsupported', 'The private key has an unsupported type.', {
    hint: 'Use an EC (P-256, P-384, P-521), RSA or Ed25519 key.',
  });
};

const toJwk = (text: string): KeyJwk => {
  try {
    return text.trimStart().startsWith('{')
      ? (JSON.parse(text) as KeyJwk)
      : createPrivateKey(text).export({ format: 'jwk' });
  } catch {
    // The cause may quote the key.
    throw new OAuthFailure('unsupported', 'The private key cannot be read.', {
      hint: 'Give it in PEM (PKCS #8) or as a JWK.',
    });
  }
};

/** A key to sign with, from PEM or JWK. */
export const importPrivateKey = async (text: string): Promise<PrivateKey> => {
  const { kid, kty, crv, ...numbers } = toJwk(text);
  const jwk = { kty, crv, d: numbers.d, x: numbers.x, y: numbers.y };
  const rsa = {
    n: numbers.n,
    e: numbers.e,
    p: numbers.p,
    q: numbers.q,
    dp: numbers.dp,
    dq: numbers.dq,
    qi: numbers.qi,
  };
  const all = definedMembers({ ...jwk, ...rsa });
  const algorithm = algorithmOf({ kty, crv } as JsonWebKey);
  const key = await webcrypto.subtle.importKey('jwk', all, algorithm, false, ['sign']).catch(() => {
    throw new OAuthFailure('unsupported', 'The private key cannot be used.', {
      hint: 'Check that it is a private key.',
    });
  });
  return kid === undefined ? { key } : { key, kid };
};
