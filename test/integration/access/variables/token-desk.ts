import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What an authorization server answers, and where it sends a browser. */
export interface DeskAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly location?: string;
}

export interface TokenDesk {
  /** Undefined for what is none of its paths. */
  readonly answer: (request: IncomingMessage, origin: string, body: string) => DeskAnswer | undefined;
  readonly isIssued: (authorization: string | undefined) => boolean;
  readonly addKey: (clientId: string, key: JsonWebKey) => void;
}

const decoded = (part: string | undefined): unknown => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** The client that an assertion proves, by the key that was entered for it. */
const provenClient = (assertion: string, keys: ReadonlyMap<string, JsonWebKey>): string | undefined => {
  const [header, claims, signature] = assertion.split('.');
  const { iss } = decoded(claims) as { readonly iss: string };
  const jwk = keys.get(iss);
  if (jwk === undefined) return undefined;
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  const signed = Buffer.from(`${header}.${claims}`);
  return verify('sha256', signed, key, Buffer.from(signature ?? '', 'base64url')) ? iss : undefined;
};

/**
 * An authorization server whose tokens tell how their client proved itself: `for <client> by <proof>`, so that a token
 * that one agent got is seen wherever it turns up.
 */
export const tokenDesk = (): TokenDesk => {
  const issued = new Set<string>();
  const keys = new Map<string, JsonWebKey>();

  const metadata = (issuer: string) => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt', 'none'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256'],
  });

  const authorize = (asked: URLSearchParams): DeskAnswer => {
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', `login of ${asked.get('client_id')}`);
    back.searchParams.set('state', asked.get('state') ?? '');
    return { status: 302, location: back.href };
  };

  const token = (request: IncomingMessage, form: URLSearchParams): DeskAnswer => {
    const basic = /^Basic (.+)$/u.exec(request.headers.authorization ?? '')?.[1];
    const assertion = form.get('client_assertion');
    let holder = form.get('code');
    if (assertion !== null) {
      const client = provenClient(assertion, keys);
      if (client === undefined) return { status: 401, json: { error: 'invalid_client' } };
      holder = `for ${client} by key`;
    } else if (basic !== undefined && holder === null) {
      const [client, secret] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
      holder = `for ${client} by ${secret}`;
    }
    const scope = form.get('scope') ?? '';
    const told = `${holder ?? 'for nobody'}${scope === '' ? '' : `, scope ${scope}`}`;
    const access_token = Buffer.from(told).toString('base64url');
    issued.add(`Bearer ${access_token}`);
    return { status: 200, json: { access_token, token_type: 'Bearer', expires_in: 3600 } };
  };

  return {
    answer: (request, origin, body) => {
      const url = new URL(request.url ?? '', origin);
      if (url.pathname.startsWith('/.well-known/oauth-authorization-server')) {
        const path = url.pathname.slice('/.well-known/oauth-authorization-server'.length);
        return { status: 200, json: metadata(origin + path) };
      }
      if (url.pathname.endsWith('/authorize')) return authorize(url.searchParams);
      if (url.pathname.endsWith('/token')) return token(request, new URLSearchParams(body));
      return undefined;
    },
    isIssued: (authorization) => issued.has(authorization ?? ''),
    addKey: (clientId, key) => void keys.set(clientId, key),
  };
};
