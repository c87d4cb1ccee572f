import { Secret } from '@plugboard/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { Introspection } from './introspection.js';
import { createVerifyToken } from './verify-token.js';

const settings = {
  issuer: 'https://login.example',
  audience: 'https://hub.example',
  jwksUri: undefined,
  introspection: {
    endpoint: 'https://login.example/introspect',
    clientId: 'hub:1',
    clientSecret: Secret.of('a secret & more'),
    cacheSeconds: 30,
  },
  algorithms: ['ES256'],
  clockSkewSeconds: 30,
  roleClaim: undefined,
  agentClaim: 'agent',
};
const AGENT = 'agent-00000000-0000-4000-8000-000000000001';
const ACTIVE = { active: true, sub: 'anna', aud: settings.audience, agent: AGENT };

let now: number;
let asked: { url: string; authorization: string | undefined; body: string | undefined }[];
let answer: () => Response | Promise<Response>;
let introspection: Introspection;

beforeEach(() => {
  now = 1_000_000_000;
  asked = [];
  answer = () => Response.json(ACTIVE);
  introspection = new Introspection({
    settings,
    now: () => now,
    fetch: async (url, { headers, body }) => {
      asked.push({ url, authorization: headers?.['authorization'], body });
      return answer();
    },
  });
});

describe('a token that the issuer vouches for', () => {
  it('tells who calls; the issuer is asked as a client that it knows, and once in a while', async () => {
    expect(await introspection.verify('t1')).toEqual({
      id: 'https://login.example anna',
      role: 'agent',
      agent: AGENT,
    });
    const encoded = Buffer.from('hub%3A1:a+secret+%26+more').toString('base64');
    expect(asked).toEqual([
      {
        url: settings.introspection.endpoint,
        authorization: `Basic ${encoded}`,
        body: 'token=t1&token_type_hint=access_token',
      },
    ]);
    await introspection.verify('t1');
    expect(asked).toHaveLength(1);
    now += 31_000;
    answer = () => Response.json({ active: false });
    await expect(introspection.verify('t1')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(asked).toHaveLength(2);
  });

  it('is believed no longer than it lives', async () => {
    answer = () => Response.json({ ...ACTIVE, exp: now / 1000 + 1 });
    await introspection.verify('t1');
    now += 2000;
    await introspection.verify('t1');
    expect(asked).toHaveLength(2);
  });

  it('has the role, agent or client that its answer names', async () => {
    const rows = [
      [{ ...ACTIVE, scope: 'plugboard:operator' }, { role: 'operator' }],
      [ACTIVE, { role: 'agent', agent: AGENT }],
      [
        { active: true, client_id: 'batch', aud: ['x', settings.audience], agent: AGENT },
        { id: 'https://login.example client batch' },
      ],
    ] as const;
    for (const [index, [claims, expected]] of rows.entries()) {
      answer = () => Response.json(claims);
      expect(await introspection.verify(`t${index}`)).toMatchObject(expected);
    }
  });

  it('is asked about once, however many requests bring it at a time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => introspection.verify('t1')));
    expect(asked).toHaveLength(1);
  });
});

describe('a token is refused', () => {
  it.each([
    ['inactive', { active: false }],
    ['without its agent', { ...ACTIVE, agent: undefined }],
    ['for an agent by its name', { ...ACTIVE, agent: 'bot' }],
    ['active in another sense', { ...ACTIVE, active: 'true' }],
    ['for somebody else', { ...ACTIVE, aud: 'https://other.example' }],
    ['for nobody in particular', { active: true, sub: 'anna' }],
    ['of another issuer', { ...ACTIVE, iss: 'https://other.example' }],
    ['expired', { ...ACTIVE, exp: 999_900 }],
    ['not valid yet', { ...ACTIVE, nbf: 1_000_100 }],
    ['nobody’s', { active: true, aud: settings.audience }],
  ])('when it is %s, and the issuer is not asked again at once', async (_what, claims) => {
    answer = () => Response.json(claims);
    await expect(introspection.verify('t1')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(introspection.verify('t1')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['fails', () => new Response('no', { status: 500 })],
    ['does not know us', () => new Response('{}', { status: 401 })],
    ['sends us elsewhere', () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } })],
    ['does not speak JSON', () => new Response('<html>')],
    ['does not answer with an object', () => Response.json([])],
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
  ])('while the issuer %s; that says nothing of the token', async (_what, broken) => {
    answer = broken;
    await expect(introspection.verify('t1')).rejects.toMatchObject({ code: 'AUTH_SERVER_UNAVAILABLE' });
    answer = () => Response.json(ACTIVE);
    expect(await introspection.verify('t1')).toMatchObject({ role: 'agent' });
  });

  it('while too many others are being asked about', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = () => gate.then(() => Response.json(ACTIVE));
    const waiting = Array.from({ length: 32 }, (_none, index) => introspection.verify(`t${index}`));
    await expect(introspection.verify('one more')).rejects.toMatchObject({ code: 'AUTH_SERVER_UNAVAILABLE' });
    release();
    await Promise.all(waiting);
    expect(await introspection.verify('one more')).toMatchObject({ role: 'agent' });
  });
});

it('everything is asked about where no keys are known, and JWTs are not where they are', async () => {
  const urls: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    urls.push(url);
    return Response.json({ active: false, keys: [] });
  };
  const jwt = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln';
  await expect(createVerifyToken(settings, fetch)(jwt)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const both = createVerifyToken({ ...settings, jwksUri: 'https://login.example/keys' }, fetch);
  await expect(both(jwt)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(both('opaque')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const { introspection: _none, ...rest } = settings;
  const neither = createVerifyToken({ ...rest, introspection: undefined }, fetch);
  await expect(neither('opaque')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(urls).toEqual([
    'https://login.example/introspect',
    'https://login.example/keys',
    'https://login.example/introspect',
  ]);
});
