import { generateKeyPairSync } from 'node:crypto';
import type { AuthorizationServerMetadata, RegisteredClient } from '@plugboard/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOAuthProtocol } from './oauth-protocol.js';
import type { OAuthRequest } from './oauth-http.js';
import { chooseAuthMethod } from './registered-client.js';
import { quotable } from './read-answer.js';
import { readTokenSet } from './token-set.js';

const never = new AbortController().signal;
const NOW = 1_000_000;

const metadata: AuthorizationServerMetadata = {
  issuer: 'https://login.example',
  token_endpoint: 'https://login.example/token',
  authorization_endpoint: 'https://login.example/authorize?tenant=1',
  registration_endpoint: 'https://login.example/register',
  revocation_endpoint: 'https://login.example/revoke',
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
};
const client: RegisteredClient = { clientId: 'me', authMethod: 'none', source: 'registered' };

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
  readonly text: string;
}

const protocolOf = (answer: (sent: Sent) => Response) => {
  const sent: Sent[] = [];
  const fetch = async (url: string, init: OAuthRequest): Promise<Response> => {
    const text = String(init.body ?? '');
    const request = { url, headers: init.headers, body: new URLSearchParams(text), text };
    sent.push(request);
    return answer(request);
  };
  return { protocol: createOAuthProtocol({ fetch, now: () => NOW }), sent };
};

const tokens = { access_token: 'at-1', token_type: 'Bearer', expires_in: 60, refresh_token: 'rt-2' };

describe('a login', () => {
  it('is begun with PKCE, state, scope and resource, and ends with tokens', async () => {
    const { protocol, sent } = protocolOf(() => Response.json(tokens));
    const request = {
      metadata,
      client,
      redirectUri: 'http://127.0.0.1:1/cb',
      state: 's1',
      scope: 'a',
      resource: 'https://t/mcp',
    };
    const { url, codeVerifier } = await protocol.startLogin(request);
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      tenant: '1',
      response_type: 'code',
      client_id: 'me',
      redirect_uri: 'http://127.0.0.1:1/cb',
      state: 's1',
      scope: 'a',
      resource: 'https://t/mcp',
      code_challenge_method: 'S256',
    });
    expect(url).not.toContain(codeVerifier);
    const answer = new URLSearchParams({ code: 'c1', state: 's1', iss: metadata.issuer });
    expect(await protocol.exchangeCode({ ...request, codeVerifier, answer }, never)).toEqual({
      accessToken: 'at-1',
      refreshToken: 'rt-2',
      expiresAt: NOW + 60_000,
    });
    expect(Object.fromEntries(sent[0]?.body ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      code: 'c1',
      code_verifier: codeVerifier,
      client_id: 'me',
      resource: 'https://t/mcp',
    });
  });

  it('asks for consent where it wants to stay logged in', async () => {
    const { protocol } = protocolOf(() => Response.json(tokens));
    const request = { metadata, client, redirectUri: 'http://127.0.0.1:1/cb', state: 's', scope: 'a offline_access' };
    expect(new URL((await protocol.startLogin(request)).url).searchParams.get('prompt')).toBe('consent');
  });

  it.each([
    ['without PKCE', { code_challenge_methods_supported: [] }],
    ['with plain PKCE only', { code_challenge_methods_supported: ['plain'] }],
    ['without a place for people', { authorization_endpoint: undefined }],
  ])('is refused %s', async (_what, change) => {
    const { protocol } = protocolOf(() => Response.json(tokens));
    const changed = { ...metadata, ...change } as AuthorizationServerMetadata;
    const request = { metadata: changed, client, redirectUri: 'http://127.0.0.1:1/cb', state: 's' };
    await expect(protocol.startLogin(request)).rejects.toMatchObject({ kind: 'unsupported' });
  });

  it.each([
    ['another state', { code: 'c', state: 'other', iss: metadata.issuer }, 'rejected'],
    ['another issuer', { code: 'c', state: 's', iss: 'https://evil.example' }, 'rejected'],
    ['no issuer where one was promised', { code: 'c', state: 's' }, 'rejected'],
    ['no code', { state: 's', iss: metadata.issuer }, 'rejected'],
    ['a refusal', { error: 'access_denied', state: 's', iss: metadata.issuer }, 'refused'],
    ['a refusal from elsewhere', { error: 'access_denied', state: 's', iss: 'https://evil.example' }, 'rejected'],
  ])('ends before any code is sent with %s', async (_what, answer, kind) => {
    const { protocol, sent } = protocolOf(() => Response.json(tokens));
    const exchange = {
      metadata,
      client,
      redirectUri: 'http://127.0.0.1:1/cb',
      state: 's',
      codeVerifier: 'v'.repeat(43),
    };
    const failing = protocol.exchangeCode({ ...exchange, answer: new URLSearchParams(answer) }, never);
    await expect(failing).rejects.toMatchObject({ kind });
    await expect(failing).rejects.toThrow(kind === 'refused' ? /access_denied/u : /^(?!.*access_denied)/u);
    expect(sent).toEqual([]);
  });
});

describe('a refresh', () => {
  const refresh = (answer: Response, change: Partial<RegisteredClient> = {}) => {
    const { protocol, sent } = protocolOf(() => answer);
    const question = { metadata, client: { ...client, ...change }, refreshToken: 'rt-1-secret' };
    return { result: protocol.refresh(question, never), sent };
  };

  it('keeps the old refresh token where no new one comes', async () => {
    const { result } = refresh(Response.json({ access_token: 'at-2', token_type: 'bearer' }, { status: 201 }));
    expect(await result).toEqual({ accessToken: 'at-2', refreshToken: 'rt-1-secret' });
  });

  it.each([
    [400, { error: 'invalid_grant' }, 'invalid-grant', 'UPSTREAM_AUTH_REVOKED'],
    [401, { error: 'invalid_client' }, 'invalid-client', 'UPSTREAM_AUTH'],
    [400, { error: 'invalid_scope' }, 'refused', 'UPSTREAM_AUTH'],
    [400, { error: 'temporarily_unavailable' }, 'transient', 'AUTH_SERVER_UNAVAILABLE'],
    [500, { error: 'invalid_grant' }, 'transient', 'AUTH_SERVER_UNAVAILABLE'],
    [429, {}, 'transient', 'AUTH_SERVER_UNAVAILABLE'],
    [200, { error: 'invalid_grant' }, 'invalid-grant', 'UPSTREAM_AUTH_REVOKED'],
    [200, {}, 'rejected', 'UPSTREAM_AUTH'],
    [302, {}, 'refused', 'UPSTREAM_AUTH'],
    [200, { access_token: 'a\r\nx: y', token_type: 'bearer' }, 'rejected', 'UPSTREAM_AUTH'],
    [200, { access_token: 'a', token_type: 'DPoP' }, 'unsupported', 'UPSTREAM_AUTH'],
  ])('answered with %i %j means %s', async (status, body, kind, code) => {
    await expect(refresh(Response.json(body, { status })).result).rejects.toMatchObject({ kind, code });
  });

  it('quotes what the server said, without what was sent to it', async () => {
    const body = { error: 'invalid_grant', error_description: 'token rt-1-secret\n of s3cr3t-of-me is unknown' };
    const { result } = refresh(Response.json(body, { status: 400 }), {
      authMethod: 'client_secret_post',
      clientSecret: 's3cr3t-of-me',
    });
    const said = await result.catch((error: Error) => error.message + JSON.stringify(error));
    expect(said).toContain('is unknown');
    expect(said).not.toContain('rt-1-secret');
    expect(said).not.toContain('s3cr3t-of-me');
  });
});

describe('how a client proves itself', () => {
  const sentWith = async (change: Partial<RegisteredClient>): Promise<Sent> => {
    const { protocol, sent } = protocolOf(() => Response.json(tokens));
    await protocol.clientCredentials({ metadata, client: { ...client, ...change }, scope: 'a' }, never);
    const [first] = sent;
    if (first === undefined) throw new Error('nothing was sent');
    return first;
  };

  it('in the header, in the body, or not at all', async () => {
    const basic = await sentWith({ clientId: 'a-b.c', authMethod: 'client_secret_basic', clientSecret: 'x y:/+' });
    expect(Buffer.from(basic.headers['authorization']?.slice(6) ?? '', 'base64').toString()).toBe('a-b.c:x+y%3A%2F%2B');
    const post = await sentWith({ authMethod: 'client_secret_post', clientSecret: 'secret' });
    expect(Object.fromEntries(post.body)).toMatchObject({ client_id: 'me', client_secret: 'secret', scope: 'a' });
    const none = await sentWith({});
    expect(none.body.get('client_id')).toBe('me');
    expect(none.headers['authorization']).toBeUndefined();
  });

  it.each([
    ['EC', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256'],
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'RS256'],
    ['Ed25519', generateKeyPairSync('ed25519'), 'Ed25519'],
  ])('with an assertion signed by a key of kind %s, in PEM and as JWK', async (_kind, { privateKey }, alg) => {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const jwk = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' });
    for (const key of [pem, jwk]) {
      const { body } = await sentWith({ authMethod: 'private_key_jwt', privateKey: key });
      const [head = '', claims = ''] = (body.get('client_assertion') ?? '').split('.');
      expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ alg });
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
        sub: 'me',
        aud: metadata.issuer,
      });
    }
  });

  it.each([
    [{ authMethod: 'client_secret_basic' as const }],
    [{ authMethod: 'private_key_jwt' as const }],
    [{ authMethod: 'private_key_jwt' as const, privateKey: 'no key at all' }],
    [{ authMethod: 'private_key_jwt' as const, privateKey: '{"kty":"oct","k":"x"}' }],
    [{ authMethod: 'private_key_jwt' as const, privateKey: '{"kty":"EC","crv":"P-256","x":"a","y":"b"}' }],
  ])('says what is missing or wrong: %j', async (change) => {
    await expect(sentWith(change)).rejects.toMatchObject({ kind: 'unsupported' });
  });

  it.each([
    [undefined, { secret: true, privateKey: false }, 'client_secret_basic'],
    [['client_secret_post', 'none'], { secret: true, privateKey: false }, 'client_secret_post'],
    [['none'], { secret: true, privateKey: false }, 'none'],
    [['tls_client_auth'], { secret: true, privateKey: false }, 'client_secret_basic'],
    [undefined, { secret: false, privateKey: false }, 'none'],
    [undefined, { secret: true, privateKey: true }, 'private_key_jwt'],
  ])('is chosen from %j with %j', (supported, held, expected) => {
    expect(chooseAuthMethod(supported, held)).toBe(expected);
  });
});

describe('who the client is', () => {
  const request = { metadata, redirectUri: 'http://127.0.0.1:7/cb', clientName: 'Plugboard' };

  it('is what an operator entered, before anything else', async () => {
    const { protocol, sent } = protocolOf(() => Response.json({}));
    const settings = { grant: 'authorization_code' as const, client_id: 'by-hand', client_secret: 's' };
    const known = { ...metadata, client_id_metadata_document_supported: true };
    const found = protocol.obtainClient(
      { ...request, metadata: known, settings, clientMetadataUrl: 'https://me/c.json' },
      never,
    );
    expect(await found).toMatchObject({ clientId: 'by-hand', source: 'configured', authMethod: 'client_secret_basic' });
    expect(sent).toEqual([]);
  });

  it('is its document where that is understood and there is one', async () => {
    const { protocol } = protocolOf(() => Response.json({ client_id: 'reg' }, { status: 201 }));
    const known = { ...metadata, client_id_metadata_document_supported: true };
    const url = 'https://me.example/c.json';
    expect(await protocol.obtainClient({ ...request, metadata: known, clientMetadataUrl: url }, never)).toEqual({
      clientId: url,
      authMethod: 'none',
      source: 'document',
    });
    expect(await protocol.obtainClient({ ...request, metadata: known }, never)).toMatchObject({ source: 'registered' });
  });

  it('is registered with what it is', async () => {
    const { protocol, sent } = protocolOf(() =>
      Response.json({ client_id: 'new', client_secret: 'sec', client_secret_expires_at: 5 }, { status: 200 }),
    );
    expect(await protocol.obtainClient(request, never)).toEqual({
      clientId: 'new',
      clientSecret: 'sec',
      authMethod: 'client_secret_basic',
      source: 'registered',
      secretExpiresAt: 5000,
    });
    expect(JSON.parse(sent[0]?.text ?? '')).toMatchObject({
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:7/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
  });

  it('cannot be found out where nobody may register', async () => {
    const { protocol } = protocolOf(() => Response.json({}));
    const { registration_endpoint: _none, ...without } = metadata;
    await expect(protocol.obtainClient({ ...request, metadata: without }, never)).rejects.toMatchObject({
      kind: 'unsupported',
      hint: expect.stringContaining('client_id') as string,
    });
    await expect(protocol.obtainClient(request, never)).rejects.toMatchObject({ kind: 'rejected' });
  });
});

describe('a revocation', () => {
  const both = { accessToken: 'at', refreshToken: 'rt' };

  it('takes back the refresh token before the access token', async () => {
    const { protocol, sent } = protocolOf(() => new Response(null, { status: 200 }));
    expect(await protocol.revoke({ metadata, client, tokens: both }, never)).toBe(true);
    expect(sent.map(({ body }) => body.get('token'))).toEqual(['rt', 'at']);
    expect(sent[0]?.body.get('token_type_hint')).toBe('refresh_token');
  });

  it('is impossible without an endpoint, and may be refused', async () => {
    const { protocol } = protocolOf(() => new Response(null, { status: 503 }));
    const { revocation_endpoint: _none, ...without } = metadata;
    expect(await protocol.revoke({ metadata: without, client, tokens: both }, never)).toBe(false);
    await expect(protocol.revoke({ metadata, client, tokens: both }, never)).rejects.toMatchObject({ kind: 'refused' });
  });
});

describe('tokens', () => {
  it('have a time to live that may come as text, and otherwise none', () => {
    const read = (expires_in: unknown) => readTokenSet({ access_token: 'a', expires_in }, NOW).expiresAt;
    expect([read(10), read('10'), read(0), read(-1), read('soon'), read(null)]).toEqual([
      NOW + 10_000,
      NOW + 10_000,
      NOW,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('expire on a day that exists, whatever number comes', () => {
    for (const lifetime of [1e12, 1e300, '9'.repeat(400), Number.POSITIVE_INFINITY]) {
      const { expiresAt = 0 } = readTokenSet({ access_token: 'a', expires_in: lifetime }, NOW);
      expect(expiresAt - NOW).toBe(315_360_000_000);
    }
  });

  it('are read from anything or refused, and never break', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (answer, token) => {
        try {
          const { accessToken } = readTokenSet({ ...answer, access_token: token }, NOW);
          expect(accessToken).toMatch(/^[\u0021-\u007e]+$/u);
        } catch (thrown) {
          expect(thrown).toMatchObject({ name: 'OAuthFailure' });
        }
      }),
    );
  });

  it('never stand in a quotation', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_-]{4,30}$/u);
    fc.assert(
      fc.property(fc.string(), secret, fc.string(), (before, hidden, after) => {
        fc.pre(!'•••'.includes(hidden));
        expect(quotable(before + hidden + after, [hidden])).not.toContain(hidden);
      }),
    );
  });
});
