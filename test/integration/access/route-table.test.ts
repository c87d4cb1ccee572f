import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, ApiKeyCreated, Role } from '../../../packages/contract/src/index.js';
import { ROUTE_ROLES, type RouteId } from '../../../packages/plugboard/src/access/route-roles.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

const ADMIN_KEY = 'the-key-of-the-operator-of-this-test';
const ROLES: readonly Role[] = ['admin', 'operator', 'agent', 'viewer'];

interface Route {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The gateway's paths are code, not data: each row of the table with an example of its own. */
const GATEWAY: Readonly<
  Record<Extract<RouteId, `gateway ${string}` | 'resource metadata'>, readonly [string, string]>
> = {
  'gateway health': ['GET', '/health'],
  'gateway ready': ['GET', '/ready'],
  'gateway mcp': ['POST', '/mcp'],
  'gateway call': ['POST', '/servers/none/tools/none'],
  'gateway servers': ['GET', '/servers'],
  'gateway server': ['GET', '/servers/none'],
  'gateway tools': ['GET', '/servers/none/tools'],
  'resource metadata': ['GET', '/.well-known/oauth-protected-resource'],
};

const MCP_PATHS = [
  '/mcp',
  '/sse',
  '/messages',
  '/servers/none/mcp',
  '/servers/none/sse',
  '/toolsets/none/mcp',
] as const;

let hub: RealHub;
let operations: readonly Route[];
const keys = new Map<string, string>();

const ask = async (method: string, path: string, key?: string, body?: unknown) => {
  const stop = new AbortController();
  try {
    const response = await fetch(hub.url + path, {
      method,
      signal: stop.signal,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? '' : await response.text();
    return { status: response.status, text, headers: response.headers };
  } finally {
    // Some routes answer with a stream that does not end by itself.
    stop.abort();
  }
};

const made = async <Made>(path: string, body: unknown): Promise<Made> =>
  JSON.parse((await ask('POST', path, ADMIN_KEY, body)).text) as Made;

const newKey = async (name: string, more: object): Promise<void> => {
  keys.set(name, (await made<ApiKeyCreated>('/v1/keys', { name, ...more })).key);
};

beforeAll(async () => {
  hub = await startRealHub({
    settings: {
      access: { required: true, maxFailures: 100_000, adminKey: ADMIN_KEY, oauth: undefined },
    },
  });
  const document = JSON.parse((await ask('GET', '/openapi.json')).text) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/gu, 'none'),
    })),
  );
  for (const role of ROLES) await newKey(role, { role });
  await newKey('expired', { role: 'admin', expires_at: '2020-01-01T00:00:00Z' });
  const revoked = await made<ApiKeyCreated>('/v1/keys', { name: 'revoked', role: 'admin' });
  await ask('DELETE', `/v1/keys/${revoked.id}`, ADMIN_KEY);
  keys.set('revoked', revoked.key);
});
afterAll(() => hub.close());

const routes = (): readonly Route[] => [
  ...operations,
  ...Object.entries(GATEWAY).map(([id, [method, path]]) => ({ id, method, path })),
];

describe('the table of routes', () => {
  it('has a row for every operation of the admin API, and no other', () => {
    const rows = Object.keys(ROUTE_ROLES).filter((id) => !Object.hasOwn(GATEWAY, id));
    expect(operations.map(({ id }) => id).toSorted()).toEqual(rows.toSorted());
  });
});

const admissionOf = (id: string) => ROUTE_ROLES[id as RouteId];

describe('every route', () => {
  it('refuses a caller who does not say who it is, unless the route is for everybody', async () => {
    for (const { id, method, path } of routes()) {
      const { status, headers } = await ask(method, path);
      const expected = admissionOf(id) === 'everybody' ? 'admitted' : 'refused';
      expect([id, status === 401 ? 'refused' : 'admitted']).toEqual([id, expected]);
      if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer /u);
    }
  });

  it('refuses a key that is wrong, of an unknown form, expired or revoked', async () => {
    const wrong = `${keys.get('admin')?.slice(0, -4)}AAAA`;
    for (const key of [wrong, 'nonsense', keys.get('expired') ?? '', keys.get('revoked') ?? '']) {
      for (const { id, method, path } of routes()) {
        const { status } = await ask(method, path, key);
        expect([id, key.slice(0, 3), status]).toEqual([id, key.slice(0, 3), 401]);
      }
    }
  });

  it.each(ROLES)('admits the role %s where the table says so, and nowhere else', async (role) => {
    for (const { id, method, path } of routes()) {
      const { status, text } = await ask(method, path, keys.get(role));
      const admission = admissionOf(id);
      const expected = admission === 'everybody' || admission.includes(role);
      expect([id, status !== 403 && status !== 401]).toEqual([id, expected]);
      if (!expected) expect(text).toContain('PERMISSION_DENIED');
    }
  });

  it.each(MCP_PATHS)('has the same rule at %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect((await ask(method, path)).status).toBe(401);
      expect((await ask(method, path, keys.get('viewer'))).status).toBe(403);
      expect([401, 403]).not.toContain((await ask(method, path, keys.get('agent'))).status);
    }
  });
});

describe('an agent', () => {
  it('finds nothing of another agent', async () => {
    const [first, second] = await Promise.all(['first', 'second'].map((name) => made<Agent>('/v1/agents', { name })));
    await newKey('of first', { agent_id: first?.id });
    const key = keys.get('of first');
    expect((await ask('GET', `/v1/agents/${first?.id}`, key)).status).toBe(200);
    const foreign = [
      ['GET', `/v1/agents/${second?.id}`],
      ['GET', `/v1/agents/${second?.id}/tools`],
      ['POST', `/v1/agents/${second?.id}/tools/none/run`],
      ['GET', '/v1/agents/second'],
    ] as const;
    for (const [method, path] of foreign) expect((await ask(method, path, key)).status).toBe(404);
    await ask('DELETE', `/v1/agents/${first?.id}`, ADMIN_KEY);
    expect((await ask('GET', '/servers', key)).status).toBe(401);
  });
});
