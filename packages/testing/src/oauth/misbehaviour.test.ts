import { describe, expect, it } from 'vitest';
import { refreshAnswer, spoil, spoilRedirect, type Misbehaviour } from './misbehaviour.js';

const BACK = 'https://client.example/callback?code=c&iss=https%3A%2F%2Flogin.example';

/** What the provider answered, as far as it can be spoilt. */
const answered = (path: string, body: unknown, location?: string) => {
  const headers: Record<string, string> = location === undefined ? {} : { location };
  return {
    path,
    body,
    status: 200,
    response: { headers },
    set: (name: string, value: string) => {
      headers[name] = value;
    },
  };
};

const spoilt = (context: ReturnType<typeof answered>, how: Misbehaviour) => {
  spoil(context as never, how);
  return context;
};

describe('the token endpoint', () => {
  const tokens = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 60 };

  it.each([
    [{ omitExpiresIn: true }, { access_token: 'a', refresh_token: 'r', token_type: 'Bearer' }],
    [
      { omitRefreshToken: true, omitTokenType: true },
      { access_token: 'a', expires_in: 60 },
    ],
    [{ expiresIn: 1 }, { ...tokens, expires_in: 1 }],
    [{}, tokens],
  ])('leaves out or changes what %j says', (how, body) => {
    expect(spoilt(answered('/token', tokens), how).body).toEqual(body);
  });

  it('answers with another status, unless it failed anyway', () => {
    expect(spoilt(answered('/token', tokens), { tokenStatus: 201 }).status).toBe(201);
    const failed = { ...answered('/token', tokens), status: 400 };
    expect(spoilt(failed, { tokenStatus: 201, omitExpiresIn: true })).toMatchObject({ status: 400, body: tokens });
  });

  it.each([
    ['server-error', 500],
    ['unavailable', 503],
    ['invalid-grant', 400],
    ['invalid-client', 401],
    ['page', 200],
  ] as const)('answers a refresh with %s as %i', (how, status) => {
    expect(refreshAnswer(how)[0]).toBe(status);
  });
});

it('metadata lacks members or names another issuer', () => {
  const metadata = { issuer: 'https://login.example', registration_endpoint: 'https://login.example/reg' };
  const path = '/.well-known/oauth-authorization-server';
  expect(spoilt(answered(path, metadata), { omitMetadata: ['registration_endpoint'] }).body).toEqual({
    issuer: 'https://login.example',
  });
  expect(spoilt(answered(path, metadata), { metadataIssuer: 'https://evil.example' }).body).toEqual({
    ...metadata,
    issuer: 'https://evil.example',
  });
  expect(spoilt(answered(path, 'no document'), { omitMetadata: ['issuer'] }).body).toBe('no document');
});

describe('the redirect', () => {
  it.each([
    ['omit', null],
    ['wrong', 'https://evil.example'],
    ['with-slash', 'https://login.example/'],
    [undefined, 'https://login.example'],
  ] as const)('has its issuer %s', (iss, found) => {
    expect(new URL(spoilRedirect(BACK, { iss })).searchParams.get('iss')).toBe(found);
    const { headers } = spoilt(answered('/auth/x', undefined, BACK), { iss }).response;
    expect(new URL(headers['location'] ?? '').searchParams.get('iss')).toBe(found);
  });

  it.each(['/interaction/x', 'https://client.example/callback?error=access_denied'])('leaves %s alone', (location) => {
    expect(spoilRedirect(location, { iss: 'wrong' })).toBe(location);
  });
});
