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

type CodedRoute = Extract<RouteId, `${string} ${string}`>;
type Addresses = readonly (readonly [method: string, path: string])[];

const each = (methods: readonly string[], paths: readonly string[]): Addresses =>
  paths.flatMap((path) => methods.map((method) => [method, path] as const));

const PLACES = ['', '/servers/none', '/toolsets/none'] as const;
const DOORS = PLACES.flatMap((place) => ['/mcp', '/sse', '/messages'].map((door) => place + door));

/** These paths are code, not data: each row of the table with every address that it covers. */
const CODED: Readonly<Record<CodedRoute, Addresses>> = {
  'gateway health': [['GET', '/health']],
  'gateway ready': [['GET', '/ready']],
  'gateway mcp': each(['GET', 'POST', 'DELETE'], DOORS),
  'gateway call': [['POST', '/servers/none/tools/none']],
  'gateway servers': each(['GET', 'HEAD'], ['/servers']),
  'gateway server': each(['GET', 'HEAD'], ['/servers/none']),
  'gateway tools': each(['GET', 'HEAD'], ['/servers/none/tools']),
  'resource metadata': [['GET', '/.well-known/oauth-protected-resource']],
  'login page': each(['GET', 'HEAD'], ['/login']),
  'login form': [['POST', '/login']],
  'logout form': [['POST', '/logout']],
  'session open': [['POST', '/v1/session']],
  'session show': [['GET', '/v1/session']],
  'session close': [['DELETE', '/v1/session']],
};

/** What these do with credentials is their own affair: they take them, or forget them. */
const TAKE_CREDENTIALS: ReadonlySet<string> = new Set(['login page', 'login form', 'logout form', 'session open']);

/** The page that continues a login is bound to the browser that began it, and looks at nothing else. */
const LOOK_AT_NONE: ReadonlySet<string> = new Set(['openLogin', 'continueLogin']);

let hub: RealHub;
let operations: readonly Route[];
const keys = new Map<string, string>();

type Proof = Readonly<Record<string, string>>;

const bearer = (key: string | undefined): Proof => (key === undefined ? {} : { authorization: `Bearer ${key}` });

const askWith = async (proof: Proof, method: string, path: string, body?: unknown) => {
  const stop = new AbortController();
  try {
    const response = await fetch(hub.url + path, {
      method,
      signal: stop.signal,
      redirect: 'manual',
      headers: { ...proof, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
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

const ask = (method: string, path: string, key?: string, body?: unknown) => askWith(bearer(key), method, path, body);

const made = async <Made>(path: string, body: unknown): Promise<Made> =>
  JSON.parse((await ask('POST', path, ADMIN_KEY, body)).text) as Made;

const newKey = async (name: string, more: object): Promise<void> => {
  keys.set(name, (await made<ApiKeyCreated>('/v1/keys', { name, ...more })).key);
};

beforeAll(async () => {
  hub = await startRealHub({
    settings: {
      access: { required: true, maxFailures: 100_000, trustProxy: [], adminKey: ADMIN_KEY, oauth: undefined },
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
  ...Object.entries(CODED).flatMap(([id, addresses]) => addresses.map(([method, path]) => ({ id, method, path }))),
];

/** A browser that logged in with a key. */
const browserWith = async (key: string | undefined): Promise<{ readonly cookie: string; readonly csrf: string }> => {
  const { headers, text } = await askWith({}, 'POST', '/v1/session', { key });
  const { csrf_token: csrf } = JSON.parse(text) as { csrf_token: string };
  return { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '', csrf };
};

describe('the table of routes', () => {
  it('has a row for every operation of the admin API, and no other', () => {
    const rows = Object.keys(ROUTE_ROLES).filter((id) => !Object.hasOwn(CODED, id));
    expect(operations.map(({ id }) => id).toSorted()).toEqual(rows.toSorted());
  });
});

const admissionOf = (id: string) => ROUTE_ROLES[id as RouteId];

const nameOf = ({ id, method, path }: Route): string => `${id}: ${method} ${path}`;

const isAdmitted = (role: Role, { id }: Route): boolean => {
  const admission = admissionOf(id);
  return admission === 'everybody' || admission.includes(role);
};

describe('every route', () => {
  it('refuses a caller who does not say who it is, unless the route is for everybody', async () => {
    for (const route of routes()) {
      const { status, headers } = await ask(route.method, route.path);
      const expected = admissionOf(route.id) === 'everybody' ? 'admitted' : 'refused';
      expect([nameOf(route), status === 401 && !TAKE_CREDENTIALS.has(route.id) ? 'refused' : 'admitted']).toEqual([
        nameOf(route),
        expected,
      ]);
      if (expected === 'refused') expect(headers.get('www-authenticate')).toMatch(/^Bearer /u);
    }
  });

  it.each(['wrong', 'nonsense', 'expired', 'revoked'])('refuses a key that is %s', async (what) => {
    const wrong = `${keys.get('admin')?.slice(0, -4)}AAAA`;
    const key = keys.get(what) ?? (what === 'wrong' ? wrong : what);
    const rows = routes().filter(({ id }) => !TAKE_CREDENTIALS.has(id) && !LOOK_AT_NONE.has(id));
    for (const route of rows.filter(({ id }) => id !== 'resource metadata')) {
      expect([nameOf(route), (await ask(route.method, route.path, key)).status]).toEqual([nameOf(route), 401]);
    }
  });

  it.each(ROLES)('admits the role %s where the table says so, and nowhere else', async (role) => {
    for (const route of routes().filter(({ id }) => !TAKE_CREDENTIALS.has(id))) {
      const { status, text } = await ask(route.method, route.path, keys.get(role));
      const expected = isAdmitted(role, route);
      expect([nameOf(route), status !== 403 && status !== 401]).toEqual([nameOf(route), expected]);
      if (!expected && route.method !== 'HEAD') expect(text).toContain('PERMISSION_DENIED');
    }
  });

  it.each(ROLES)('admits the role %s with the session of a browser as with its key', async (role) => {
    const { cookie, csrf } = await browserWith(keys.get(role));
    const rows = routes().filter(({ id }) => !TAKE_CREDENTIALS.has(id) && id !== 'session close');
    for (const route of rows) {
      const { status, text } = await askWith({ cookie, 'x-plugboard-csrf': csrf }, route.method, route.path);
      const expected = isAdmitted(role, route);
      expect([nameOf(route), status !== 403 && status !== 401]).toEqual([nameOf(route), expected]);
      if (!expected && route.method !== 'HEAD') expect(text).toContain('PERMISSION_DENIED');
    }
  });

  it('that changes something refuses the session of a browser without its proof', async () => {
    const { cookie } = await browserWith(keys.get('admin'));
    const changing = routes().filter(
      ({ id, method }) => !/^(?:GET|HEAD)$/u.test(method) && !TAKE_CREDENTIALS.has(id) && !LOOK_AT_NONE.has(id),
    );
    expect(changing.length).toBeGreaterThan(40);
    for (const route of changing) {
      for (const proof of [{ cookie }, { cookie, 'x-plugboard-csrf': 'guessed' }]) {
        const { status, text } = await askWith(proof, route.method, route.path);
        expect([nameOf(route), status, text.includes('ORIGIN_REFUSED')]).toEqual([nameOf(route), 403, true]);
      }
    }
  });
});

describe('a page of another origin', () => {
  it('can use no route that changes something, with or without a key', async () => {
    const changing = routes().filter(({ method }) => !/^(?:GET|HEAD)$/u.test(method));
    const foreign: readonly Proof[] = [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ];
    for (const route of changing) {
      for (const from of foreign) {
        for (const proof of [from, { ...from, ...bearer(keys.get('admin')) }]) {
          const { status, text } = await askWith(proof, route.method, route.path);
          expect([nameOf(route), proof, status, text.includes('ORIGIN_REFUSED')]).toEqual([
            nameOf(route),
            proof,
            403,
            true,
          ]);
        }
      }
    }
  });
});

describe('an agent that was given nothing', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };

  it('finds nothing behind any path of the gateway that others use', async () => {
    const config = { mcp_server_type: 'streamable_http', server_url: 'http://127.0.0.1:9/mcp' };
    const { id: serverId } = await made<{ id: string }>('/v1/mcp-servers', { server_name: 'secret-server', config });
    await made('/v1/toolsets', { name: 'secret-set', entries: [] });
    const { id } = await made<Agent>('/v1/agents', { name: 'stranger' });
    await newKey('of a stranger', { agent_id: id });
    const key = keys.get('of a stranger');
    const doors = ['/servers/secret-server', '/toolsets/secret-set'].flatMap((place) =>
      each(['GET', 'POST', 'DELETE'], [`${place}/mcp`, `${place}/sse`, `${place}/messages`]),
    );
    const plain: Addresses = [
      ['GET', '/servers/secret-server'],
      ['GET', '/servers/secret-server/tools'],
      ['POST', '/servers/secret-server/tools/any'],
    ];
    for (const [method, path] of [...doors, ...plain]) {
      const body = method === 'POST' ? initialize : undefined;
      const { status, text } = await ask(method, path, key, body);
      expect([method, path, [404, 405].includes(status)]).toEqual([method, path, true]);
      expect(text).not.toContain('127.0.0.1:9');
    }
    expect((await ask('GET', '/servers', key)).text).toBe('{}');
    expect((await ask('GET', '/ready', key)).text).not.toContain('secret-server');
    expect((await ask('GET', '/ready', keys.get('admin'))).text).toContain('secret-server');
    expect((await ask('POST', '/servers/secret-server/mcp', keys.get('admin'), initialize)).status).toBe(200);
    await ask('PATCH', `/v1/mcp-servers/${serverId}`, ADMIN_KEY, { enabled: false });
    for (const [method, path] of [...doors, ...plain].filter(([, each]) => each.startsWith('/servers'))) {
      const { status, text } = await ask(method, path, key, method === 'POST' ? initialize : undefined);
      expect([method, path, [404, 405].includes(status), text.includes(serverId)]).toEqual([method, path, true, false]);
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
