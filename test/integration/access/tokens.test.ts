import { generateKeyPairSync } from 'node:crypto';
import { rawHttpClient } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agent, Secret } from '../../../packages/contract/src/index.js';
import { hubCallWith } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { type Claims, INTROSPECTION, startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.js';

const ADMIN_KEY = 'the-key-of-the-operator-of-this-test';
const AUDIENCE = 'https://hub.example';

let hub: RealHub;
let issuer: TokenIssuer;
let agent: Agent;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  const { clientId, clientSecret } = INTROSPECTION;
  hub = await startRealHub({
    settings: {
      access: {
        required: true,
        maxFailures: 100_000,
        trustProxy: [],
        adminKey: ADMIN_KEY,
        oauth: {
          issuer: issuer.url,
          audience: AUDIENCE,
          jwksUri: issuer.jwksUri,
          introspection: {
            endpoint: issuer.introspectionUrl,
            clientId,
            clientSecret: Secret.of(clientSecret),
            cacheSeconds: 60,
          },
          algorithms: ['ES256'],
          clockSkewSeconds: 30,
          roleClaim: undefined,
          agentClaim: 'plugboard_agent',
        },
      },
    },
  });
  const admin = hubCallWith(hub.url, ADMIN_KEY);
  const config = { mcp_server_type: 'streamable_http', server_url: 'http://127.0.0.1:9/mcp' };
  const { json } = await admin('POST', '/v1/mcp-servers', { server_name: 'given', config });
  await admin('POST', '/v1/mcp-servers', { server_name: 'other', config });
  const server_ids = [(json as { id: string }).id];
  agent = (await admin('POST', '/v1/agents', { name: 'bot', server_ids })).json as Agent;
});
afterAll(async () => {
  await hub.close();
  await issuer.close();
});

const now = (): number => Math.floor(Date.now() / 1000);
const claims = (more: Claims = {}): Claims => ({
  iss: issuer.url,
  aud: AUDIENCE,
  sub: 'anna',
  exp: now() + 300,
  plugboard_agent: agent.id,
  ...more,
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const send = async (method: string, path: string, token?: string) => {
  const response = await fetch(hub.url + path, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify(INITIALIZE) } : {}),
  });
  const text = await response.text();
  return { status: response.status, challenge: response.headers.get('www-authenticate'), text };
};

const mcp = (token?: string) => send('POST', '/mcp', token);
const api = (token?: string) => send('GET', '/v1/mcp-servers', token);

const metadata = (): string => `resource_metadata="${hub.url}/.well-known/oauth-protected-resource"`;

describe('a request without a token', () => {
  it('is told where to get one, over MCP and the admin API', async () => {
    for (const { status, challenge } of [await mcp(), await api()]) {
      expect([status, challenge]).toEqual([401, `Bearer realm="plugboard", ${metadata()}`]);
    }
    const { status, text } = await send('GET', '/.well-known/oauth-protected-resource');
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { resource: AUDIENCE, authorization_servers: [issuer.url] },
    ]);
  });
});

interface Row {
  readonly claims?: Claims;
  readonly token?: () => string;
}

/** The claim that names the agent is configured: a caller of tools without a usable one must not see all tools. */
const MISNAMED: Readonly<Record<string, Row>> = {
  'without its agent': { claims: { plugboard_agent: undefined } },
  'for an agent by its name': { claims: { plugboard_agent: 'bot' } },
  'for a list of agents': { token: () => issuer.sign(claims({ plugboard_agent: [agent.id] })) },
  'for an agent in capitals': { token: () => issuer.sign(claims({ plugboard_agent: agent.id.toUpperCase() })) },
  'for no agent': { claims: { plugboard_agent: null } },
};

const REFUSED: Readonly<Record<string, Row>> = {
  'for another audience': { claims: { aud: 'https://other.example' } },
  'for no audience': { claims: { aud: undefined } },
  'of another issuer': { claims: { iss: 'https://other.example' } },
  'expired beyond the skew': { claims: { exp: now() - 60 } },
  'without an end': { claims: { exp: undefined } },
  'not valid before long': { claims: { nbf: now() + 120 } },
  'of nobody': { claims: { sub: undefined } },
  'signed by somebody else': {
    token: () => issuer.sign(claims(), { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
  },
  'signed with an algorithm that is not allowed': {
    token: () =>
      issuer.sign(claims(), { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, alg: 'RS256' }),
  },
  'not signed at all': {
    token: () =>
      `${[{ alg: 'none' }, claims()].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`,
  },
  'not a token': { token: () => 'nonsense' },
  ...MISNAMED,
};

describe('a JWT', () => {
  it.each(Object.keys(REFUSED))('that is %s opens nothing', async (what) => {
    const row = REFUSED[what];
    const token = row?.token?.() ?? issuer.sign(claims(row?.claims));
    for (const answer of [await mcp(token), await api(token)]) {
      expect([answer.status, answer.challenge]).toEqual([
        401,
        `Bearer realm="plugboard", error="invalid_token", ${metadata()}`,
      ]);
      expect(answer.text).not.toContain(token);
    }
  });

  it.each([
    ['expired a moment ago', { exp: now() - 5 }],
    ['valid in a moment', { nbf: now() + 5 }],
    ['for several audiences', { aud: ['https://other.example', AUDIENCE] }],
  ])('that is %s is accepted', async (_what, more) => {
    expect((await mcp(issuer.sign(claims(more)))).status).toBe(200);
  });

  it('has the role that its scope names', async () => {
    const rows = [
      ['plugboard:admin', 200, 200],
      ['openid plugboard:operator', 200, 200],
      ['plugboard:viewer', 403, 200],
      ['openid', 200, 403],
    ] as const;
    for (const [scope, overMcp, overApi] of rows) {
      const token = issuer.sign(claims({ scope }));
      expect([scope, (await mcp(token)).status, (await api(token)).status]).toEqual([scope, overMcp, overApi]);
    }
  });

  it('that allows too little says which scope would do', async () => {
    const viewer = await mcp(issuer.sign(claims({ scope: 'plugboard:viewer' })));
    const caller = await api(issuer.sign(claims()));
    const challenge = (scope: string) =>
      `Bearer realm="plugboard", error="insufficient_scope", scope="${scope}", ${metadata()}`;
    expect([viewer.challenge, caller.challenge]).toEqual([challenge('plugboard:agent'), challenge('plugboard:viewer')]);
    // A key is what it is.
    const { json } = await hubCallWith(hub.url, ADMIN_KEY)('POST', '/v1/keys', { name: 'viewer', role: 'viewer' });
    expect((await mcp((json as { key: string }).key)).challenge).toBeNull();
  });

  it('of an agent sees what the agent was given', async () => {
    const token = issuer.sign(claims({ plugboard_agent: agent.id }));
    const { text } = await send('GET', '/servers', token);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['given']);
    expect((await send('GET', `/v1/agents/${agent.id}`, token)).status).toBe(200);
  });

  it('of an agent that there is not sees nothing', async () => {
    const token = issuer.sign(claims({ plugboard_agent: 'agent-00000000-0000-4000-8000-000000000000' }));
    expect((await send('GET', '/servers', token)).text).toBe('{}');
  });

  it('that allows little cannot use the session of one of the same person that allows more', async () => {
    const [strong, weak] = [issuer.sign(claims({ scope: 'plugboard:operator' })), issuer.sign(claims())];
    const client = rawHttpClient(`${hub.url}/mcp`, { headers: { authorization: `Bearer ${strong}` } });
    await client.initialize();
    const use = async (token: string) => {
      const response = await fetch(`${hub.url}/mcp`, {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'mcp-session-id': client.sessionId ?? '',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
      });
      await response.text();
      return response.status;
    };
    expect([await use(strong), await use(weak)]).toEqual([200, 404]);
    // The next token of the same kind goes on with the session.
    expect(await use(issuer.sign(claims({ scope: 'plugboard:operator', exp: now() + 301 })))).toBe(200);
  });
});

describe('an opaque token', () => {
  const active = (more: object = {}): object => ({
    active: true,
    sub: 'otto',
    aud: AUDIENCE,
    plugboard_agent: agent.id,
    ...more,
  });

  it('is introspected once, and has the role and agent of the answer', async () => {
    issuer.opaque.set('opaque-operator', active({ scope: 'plugboard:operator' }));
    issuer.opaque.set('opaque-agent', active({ plugboard_agent: agent.id }));
    const before = issuer.counts.introspections;
    expect([(await mcp('opaque-operator')).status, (await api('opaque-operator')).status]).toEqual([200, 200]);
    expect(issuer.counts.introspections).toBe(before + 1);
    const { text } = await send('GET', '/servers', 'opaque-agent');
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['given']);
    expect((await api('opaque-agent')).challenge).toContain('error="insufficient_scope"');
  });

  it.each([
    ['inactive', { active: false }],
    ['for another audience', { aud: 'https://other.example' }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['expired', { exp: 1 }],
    ['without its agent', { plugboard_agent: undefined }],
  ])('that is %s opens nothing', async (what, more) => {
    issuer.opaque.set(`opaque ${what}`.replaceAll(' ', '-'), active(more));
    const token = `opaque ${what}`.replaceAll(' ', '-');
    for (const answer of [await mcp(token), await api(token)]) {
      expect([answer.status, answer.challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    }
  });

  it('opens nothing while nobody can be asked about it, and what was said before still holds', async () => {
    issuer.opaque.set('opaque-known', active());
    issuer.opaque.set('opaque-later', active());
    expect((await mcp('opaque-known')).status).toBe(200);
    issuer.up = false;
    try {
      const { status, text } = await mcp('opaque-later');
      expect([status, text]).toEqual([502, expect.stringContaining('AUTH_SERVER_UNAVAILABLE')]);
      expect((await mcp('opaque-known')).status).toBe(200);
    } finally {
      issuer.up = true;
    }
    expect((await mcp('opaque-later')).status).toBe(200);
  });
});
