import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { AuditRecord, Principal } from '@plugboard/contract';
import { PlugboardError } from '@plugboard/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { AccessGate } from './credential/access-gate.js';
import { Callers } from './callers.js';
import { RequestAccess } from './request-access.js';
import { SessionRoutes } from './session-routes.js';
import { Throttle } from './credential/throttle.js';
import { SignInLinks } from './browser/sign-in-links.js';
import { WebSessions } from './browser/web-sessions.js';

const KEY = 'pb_canary_key';
const PRINCIPAL: Principal = { id: 'key-<1>', role: 'operator' };

let audit: AuditRecord[];
let requestAccess: SessionRoutes;
let keyWorks: boolean;
let links: SignInLinks;
let address: string;

const make = (publicUrl?: string): SessionRoutes => {
  const now = (): number => 1_000_000;
  const gate = new AccessGate({
    keys: {
      authenticate: async (key) => {
        if (key === KEY && keyWorks) return PRINCIPAL;
        throw new PlugboardError('UNAUTHENTICATED', 'The hub does not know this key.');
      },
      exist: async () => true,
    },
    throttle: new Throttle({ now }),
    required: true,
    adminKey: undefined,
    localKey: 'pb_local_x',
    verifyToken: undefined,
  });
  const registry = { agents: {}, snapshot: () => ({ entries: [], toolsets: [] }) };
  const callers = new Callers(registry as unknown as ConstructorParameters<typeof Callers>[0]);
  const sessions = new WebSessions({ now });
  const addressOf = (): string => address;
  links = new SignInLinks({ now, key: KEY });
  const parts = { gate, callers, sessions, addressOf, publicUrl, metadataUrl: () => undefined };
  return new SessionRoutes({
    requestAccess: new RequestAccess(parts),
    sessions,
    links,
    addressOf,
    audit: { record: (entry) => void audit.push(entry) },
    publicUrl,
    now,
  });
};

beforeEach(() => {
  audit = [];
  keyWorks = true;
  address = '127.0.0.1';
  requestAccess = make();
});

const send = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = '') =>
  requestAccess.answer(
    Object.assign(Readable.from(body === '' ? [] : [Buffer.from(body)]), {
      method,
      headers: { host: 'hub.example', ...headers },
      socket: { remoteAddress: '127.0.0.1' },
    }) as unknown as IncomingMessage,
    path.split('/').filter(Boolean),
  );

const open = () => send('POST', '/v1/session', { 'content-type': 'application/json' }, JSON.stringify({ key: KEY }));

const cookieOf = (headers: Readonly<Record<string, string>>): string => headers['set-cookie']?.split(';')[0] ?? '';

describe('a session', () => {
  it('is opened, shown and closed', async () => {
    const opened = await open();
    const { csrf_token: csrf } = JSON.parse(opened.body) as { csrf_token: string };
    expect([opened.status, JSON.parse(opened.body)]).toMatchObject([
      201,
      { principal: PRINCIPAL.id, role: 'operator' },
    ]);
    const cookie = cookieOf(opened.headers);
    const page = { cookie, 'x-plugboard-csrf': csrf };
    expect(JSON.parse((await send('GET', '/v1/session', page)).body)).toMatchObject({ csrf_token: csrf });
    await expect(send('GET', '/v1/session', { cookie })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(send('DELETE', '/v1/session', { cookie })).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' });
    expect((await send('DELETE', '/v1/session', page)).status).toBe(204);
    await expect(send('GET', '/v1/session', page)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(audit.map(({ action, actor }) => [action, actor])).toEqual([
      ['openSession', PRINCIPAL.id],
      ['closeSession', PRINCIPAL.id],
    ]);
    expect(JSON.stringify(audit)).not.toContain(KEY);
  });

  it.each([
    ['no JSON', '{'],
    ['no key', '{}'],
    ['a key that is no text', '{"key":1}'],
    ['a key beyond all measure', JSON.stringify({ key: 'x'.repeat(10_000) })],
  ])('is not opened with %s', async (_what, body) => {
    const asked = send('POST', '/v1/session', { 'content-type': 'application/json' }, body);
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('ends the one before it in the same browser', async () => {
    const first = await open();
    const { csrf_token: csrf } = JSON.parse(first.body) as { csrf_token: string };
    const page = { cookie: cookieOf(first.headers), 'x-plugboard-csrf': csrf };
    const body = JSON.stringify({ key: KEY });
    await send('POST', '/v1/session', { 'content-type': 'application/json', cookie: page.cookie }, body);
    await expect(send('GET', '/v1/session', page)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('the page', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('shows whoever is logged in, as text, and the way out', async () => {
    const sent = await send('POST', '/login', form, `key=${KEY}`);
    expect([sent.status, sent.headers['location']]).toEqual([303, '/login']);
    const cookie = cookieOf(sent.headers);
    const page = (await send('GET', '/login', { cookie })).body;
    expect(page).toContain('key-&lt;1&gt;');
    const csrf = /value="([^"]+)"/u.exec(page)?.[1] ?? '';
    await expect(send('POST', '/logout', { ...form, cookie }, 'csrf=x')).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
    });
    expect((await send('POST', '/logout', { ...form, cookie }, `csrf=${csrf}`)).status).toBe(303);
    expect((await send('POST', '/logout', form, '')).status).toBe(303);
  });

  it('asks again once the key is gone', async () => {
    const cookie = cookieOf((await open()).headers);
    keyWorks = false;
    expect((await send('GET', '/login', { cookie })).body).toContain('Log in to Plugboard');
    expect((await send('POST', '/login', form, `key=${KEY}`)).status).toBe(401);
  });

  it('has a cookie for https behind https, and answers to its methods only', async () => {
    requestAccess = make('https://hub.example');
    const headers = { ...form, origin: 'https://hub.example' };
    expect((await send('POST', '/login', headers, `key=${KEY}`)).headers['set-cookie']).toContain('; Secure');
    expect((await send('PATCH', '/login')).status).toBe(405);
    expect([
      requestAccess.serves(['login']),
      requestAccess.serves(['v1', 'session']),
      requestAccess.serves(['v1']),
    ]).toEqual([true, true, false]);
  });
});

describe('a sign-in link', () => {
  const follow = (link: string) =>
    send('POST', '/v1/session', { 'content-type': 'application/json' }, JSON.stringify({ link }));

  it('signs a browser on this machine in, once', async () => {
    const link = links.open();
    const first = await follow(link);
    expect(first.status).toBe(201);
    expect(first.headers['set-cookie']).toContain('HttpOnly');
    expect(JSON.stringify(first)).not.toContain(KEY);
    await expect(follow(link)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(JSON.stringify(audit)).not.toContain(link);
  });

  it('is of no use on another machine', async () => {
    const link = links.open();
    address = '192.0.2.7';
    await expect(follow(link)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    address = '127.0.0.1';
    expect((await follow(link)).status).toBe(201);
  });
});
