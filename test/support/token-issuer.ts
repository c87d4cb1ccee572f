import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Claims that are undefined are left out. */
export type Claims = Readonly<Record<string, unknown>>;

export const INTROSPECTION = { clientId: 'the-hub', clientSecret: 'canary-introspection-secret' } as const;

export interface TokenIssuer {
  readonly url: string;
  readonly jwksUri: string;
  readonly introspectionUrl: string;
  /** What the issuer says of opaque tokens; those it does not know are not active. */
  readonly opaque: Map<string, object>;
  readonly counts: { introspections: number };
  /** A JWT with these claims; signed with our ES256 key unless another is given. */
  readonly sign: (claims: Claims, how?: { readonly key?: KeyObject; readonly alg?: 'ES256' | 'RS256' }) => string;
  /** While false, every request is answered with 503. */
  up: boolean;
  readonly close: () => Promise<void>;
}

const BASIC = `Basic ${Buffer.from(`${INTROSPECTION.clientId}:${INTROSPECTION.clientSecret}`).toString('base64')}`;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Publishes keys, signs JWTs and answers questions about opaque tokens. */
export const startTokenIssuer = async (): Promise<TokenIssuer> => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }] };
  const opaque = new Map<string, object>();
  const counts = { introspections: 0 };
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (!issuer.up) return answer(503, {});
    if (request.url === '/keys') return answer(200, jwks);
    counts.introspections += 1;
    if (request.headers.authorization !== BASIC) return answer(401, { error: 'invalid_client' });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const token = new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('token') ?? '';
      answer(200, opaque.get(token) ?? { active: false });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TokenIssuer = {
    url,
    jwksUri: `${url}/keys`,
    introspectionUrl: `${url}/introspect`,
    opaque,
    counts,
    up: true,
    sign: (claims, { key = privateKey, alg = 'ES256' } = {}) => {
      const signed = [{ alg, kid: 'k' }, claims].map(encoded).join('.');
      const signature = signBytes('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
};
