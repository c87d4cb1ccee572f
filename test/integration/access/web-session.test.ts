import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKeyCreated } from '../../../packages/contract/src/index.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

const ADMIN_KEY = 'the-key-of-the-operator-of-this-test';
const WRONG = 'pb_wrong_key_of_this_test';

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub({
    settings: { access: { required: true, maxFailures: 3, trustProxy: [], adminKey: ADMIN_KEY, oauth: undefined } },
  });
});
afterAll(() => hub.close());

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const ask = async (path: string, { method = 'GET', headers = {}, body }: Ask = {}) => {
  const response = await fetch(hub.url + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

const logIn = async (key: string) => {
  const answer = await ask('/v1/session', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ key }) });
  const { csrf_token: csrf } = JSON.parse(answer.text) as { csrf_token: string };
  return { ...answer, cookie: cookieOf(answer.headers), csrf };
};

const newKey = async (role: string): Promise<ApiKeyCreated> => {
  const headers = { ...JSON_TYPE, authorization: `Bearer ${ADMIN_KEY}` };
  const { text } = await ask('/v1/keys', { method: 'POST', headers, body: JSON.stringify({ name: role, role }) });
  return JSON.parse(text) as ApiKeyCreated;
};

describe('a person with a browser', () => {
  it('logs in with a key, is known by a cookie, and logs out', async () => {
    const { status, headers, text, cookie, csrf } = await logIn(ADMIN_KEY);
    expect(status).toBe(201);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^plugboard_session=[\w-]{43}; Max-Age=43(?:199|200); Path=\/; HttpOnly; SameSite=Strict$/u,
      ),
    ]);
    expect(JSON.parse(text)).toMatchObject({ principal: 'admin-key', role: 'admin', csrf_token: csrf });
    expect(text).not.toContain(ADMIN_KEY);
    const page = { cookie, 'x-plugboard-csrf': csrf };
    expect((await ask('/v1/keys', { headers: page })).status).toBe(200);
    expect(JSON.parse((await ask('/v1/session', { headers: page })).text)).toMatchObject({ csrf_token: csrf });
    const change = { method: 'POST', body: '{"name":"made in a browser"}' };
    expect((await ask('/v1/agents', { ...change, headers: { ...JSON_TYPE, cookie } })).status).toBe(403);
    const proven = { ...JSON_TYPE, ...page };
    const foreign = { ...proven, origin: 'http://localhost:1' };
    expect((await ask('/v1/agents', { ...change, headers: foreign })).status).toBe(403);
    expect((await ask('/v1/agents', { ...change, headers: proven })).status).toBe(200);
    expect((await ask('/v1/session', { method: 'DELETE', headers: { cookie } })).status).toBe(403);
    const out = await ask('/v1/session', { method: 'DELETE', headers: page });
    expect([out.status, out.headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await ask('/v1/keys', { headers: page })).status).toBe(401);
    const audit = await ask('/v1/audit?kind=admin', { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
    expect(audit.text).toContain('openSession');
    expect(audit.text).not.toContain(cookie.split('=')[1]);
  });

  it('is not known by the cookie alone, which browsers also send to other ports of the machine', async () => {
    const { cookie, csrf } = await logIn(ADMIN_KEY);
    for (const path of ['/v1/session', '/v1/keys', '/v1/mcp-servers', '/v1/audit/export', '/servers']) {
      for (const more of [{}, { 'x-plugboard-csrf': '' }, { 'x-plugboard-csrf': 'guessed' }]) {
        const { status, text } = await ask(path, { headers: { cookie, ...more } });
        expect([path, status, text.includes(csrf)]).toEqual([path, 401, false]);
      }
    }
    const page = await ask('/login', { headers: { cookie } });
    expect(page.text).toContain('You are logged in');
    expect(page.text).not.toContain(csrf);
    const shown = /name="csrf" value="([^"]+)"/u.exec(page.text)?.[1] ?? '';
    expect((await ask('/v1/keys', { headers: { cookie, 'x-plugboard-csrf': shown } })).status).toBe(401);
    const change = {
      method: 'POST',
      headers: { ...JSON_TYPE, cookie, 'x-plugboard-csrf': shown },
      body: '{"name":"x"}',
    };
    expect((await ask('/v1/agents', change)).status).toBe(403);
  });

  it('may open a report in a new tab, where no page can add a header', async () => {
    const { cookie } = await logIn(ADMIN_KEY);
    expect((await ask('/v1/checks/none/report?format=html', { headers: { cookie } })).status).toBe(404);
    expect((await ask('/v1/checks/none', { headers: { cookie } })).status).toBe(401);
    const encoded = '/v1/checks/..%2F..%2Fkeys%3F/report';
    expect((await ask(encoded, { headers: { cookie } })).status).toBe(404);
  });

  it('is nobody any more once the key was revoked', async () => {
    const { id, key } = await newKey('operator');
    const { cookie, csrf } = await logIn(key);
    const page = { headers: { cookie, 'x-plugboard-csrf': csrf } };
    expect((await ask('/v1/mcp-servers', page)).status).toBe(200);
    await ask(`/v1/keys/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${ADMIN_KEY}` } });
    // A page that goes on asking is not somebody who tries keys out.
    const asked = [];
    for (let time = 0; time < 5; time += 1) asked.push((await ask('/v1/mcp-servers', page)).status);
    expect(asked).toEqual([401, 401, 401, 401, 401]);
  });

  it('cannot be logged in by a page of somebody else', async () => {
    const body = JSON.stringify({ key: ADMIN_KEY });
    const form = { method: 'POST', headers: { 'content-type': 'text/plain' }, body };
    expect((await ask('/v1/session', form)).status).toBe(400);
    const foreign = { ...JSON_TYPE, origin: 'http://localhost:1' };
    expect((await ask('/v1/session', { method: 'POST', headers: foreign, body })).status).toBe(403);
    const fields = {
      method: 'POST',
      headers: { ...FORM_TYPE, origin: 'http://localhost:1' },
      body: `key=${ADMIN_KEY}`,
    };
    expect((await ask('/login', fields)).status).toBe(403);
  });
});

describe('the page at /login', () => {
  it('takes a key in a form, without any script, and has a way out', async () => {
    const empty = await ask('/login');
    expect(empty.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/u,
    );
    expect(empty.text).not.toMatch(/<script|\son\w+=/iu);
    const sent = await ask('/login', { method: 'POST', headers: FORM_TYPE, body: `key=${ADMIN_KEY}` });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/login']);
    const cookie = cookieOf(sent.headers);
    const inside = await ask('/login', { headers: { cookie } });
    expect(inside.text).toContain('You are logged in');
    const csrf = /name="csrf" value="([^"]+)"/u.exec(inside.text)?.[1] ?? '';
    const leave = { method: 'POST', headers: { ...FORM_TYPE, cookie } };
    expect((await ask('/logout', { ...leave, body: 'csrf=guessed' })).status).toBe(403);
    expect((await ask('/login', { headers: { cookie } })).text).toContain('You are logged in');
    expect((await ask('/logout', { ...leave, body: `csrf=${csrf}` })).status).toBe(303);
    expect((await ask('/login', { headers: { cookie } })).text).not.toContain('You are logged in');
  });

  it('writes no entry for strangers who log out, and few for those who try the API', async () => {
    const admin = { headers: { ...JSON_TYPE, authorization: `Bearer ${ADMIN_KEY}` } };
    const entries = async () =>
      JSON.parse((await ask('/v1/audit?limit=1000', admin)).text) as readonly { actor: string; action: string }[];
    const before = (await entries()).length;
    const leave = {
      method: 'POST',
      headers: { ...FORM_TYPE, cookie: `plugboard_session=${'x'.repeat(43)}` },
      body: '',
    };
    for (let time = 0; time < 20; time += 1) expect((await ask('/logout', leave)).status).toBe(303);
    expect(await entries()).toHaveLength(before);
    const stranger = { method: 'POST', headers: JSON_TYPE, body: '{}' };
    await Promise.all(Array.from({ length: 200 }, () => ask('/v1/mcp-servers', stranger)));
    const added = (await entries()).slice(0, -before);
    expect(added.length).toBeGreaterThan(0);
    expect(added.length).toBeLessThanOrEqual(60);
    expect(added[0]).toMatchObject({ actor: 'unknown', action: 'createServer' });
  });

  it('knows no other methods', async () => {
    const { status, headers } = await ask('/login', { method: 'PUT' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it('says what is wrong, repeats no key, and slows down whoever tries keys out', async () => {
    const wrong = { method: 'POST', headers: FORM_TYPE, body: `key=${WRONG}` };
    const refused = await ask('/login', wrong);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
    expect(refused.text).toContain('role="alert"');
    expect(refused.text).not.toContain(WRONG);
    for (let time = 0; time < 2; time += 1) await ask('/login', { ...wrong, body: `key=${WRONG}${time}` });
    expect((await ask('/login', { ...wrong, body: `key=${WRONG}9` })).status).toBe(429);
    const body = JSON.stringify({ key: `${WRONG}8` });
    expect((await ask('/v1/session', { method: 'POST', headers: JSON_TYPE, body })).status).toBe(429);
  });
});

it('the key of the home logs in to a fresh hub', async () => {
  const open = await startRealHub();
  try {
    const response = await fetch(`${open.url}/v1/session`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ key: open.key }),
    });
    expect(await response.json()).toMatchObject({ principal: 'local', role: 'admin' });
  } finally {
    await open.close();
  }
});

it('behind https the cookie is for https only', async () => {
  const access = { required: true, maxFailures: 3, trustProxy: [], adminKey: ADMIN_KEY, oauth: undefined };
  const secure = await startRealHub({ settings: { access, publicUrl: 'https://hub.example' } });
  try {
    const response = await fetch(`${secure.url}/v1/session`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ key: ADMIN_KEY }),
    });
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-plugboard_session=.*; Secure$/u);
  } finally {
    await secure.close();
  }
});
