import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { VerifyToken } from './access-gate.js';
import { createTokenVerifier } from './token-verifier.js';

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

const settings = {
  issuer: 'https://login.example',
  audience: 'https://hub.example',
  jwksUri: 'https://login.example/keys',
  introspection: undefined,
  algorithms: ['ES256'],
  clockSkewSeconds: 30,
  roleClaim: undefined,
  agentClaim: undefined,
};

let ours: Key;
let foreign: Key;
let verify: VerifyToken;
let jwks: string;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  ours = pair.privateKey;
  foreign = (await generateKeyPair('ES256')).privateKey;
  jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256' }] });
  verify = createTokenVerifier(settings, async () => new Response(jwks));
});

const now = (): number => Math.floor(Date.now() / 1000);

const token = (claims: JWTPayload = {}, key: Key = ours): Promise<string> =>
  new SignJWT({ iss: settings.issuer, aud: settings.audience, sub: 'anna', exp: now() + 300, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(key);

describe('a token', () => {
  it('tells who calls, and with which role', async () => {
    const id = 'https://login.example anna';
    expect(await verify(await token())).toEqual({ id, role: 'agent' });
    expect(await verify(await token({ scope: 'openid plugboard:viewer plugboard:operator' }))).toEqual({
      id,
      role: 'operator',
    });
    expect(await verify(await token({ scope: 'plugboard:owner' }))).toEqual({ id, role: 'agent' });
    expect(await verify(await token({ exp: now() - 5 }))).toMatchObject({ id });
  });

  it('is refused when it is old, for others, of others, altered or without a signature', async () => {
    const [head, body, signature] = (await token()).split('.') as [string, string, string];
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const secret = await new SignJWT({ sub: 'anna' }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32));
    const wrong = [
      await token({ exp: now() - 60 }),
      await token({ nbf: now() + 600 }),
      await token({ aud: 'https://other.example' }),
      await token({ iss: 'https://other.example' }),
      await token({ sub: '' }),
      await token({}, foreign),
      `${head}.${Buffer.from('{"sub":"root"}').toString('base64url')}.${signature}`,
      `${none}.${body}.`,
      secret,
      'nonsense',
    ];
    for (const given of wrong) await expect(verify(given)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('says so when the keys of the issuer cannot be read', async () => {
    const failing = createTokenVerifier(settings, async () => Promise.reject(new Error('down')));
    await expect(failing(await token())).rejects.toMatchObject({ code: 'AUTH_SERVER_UNAVAILABLE' });
  });
});
