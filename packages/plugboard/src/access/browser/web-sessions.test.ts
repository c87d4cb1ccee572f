import type { IncomingMessage } from 'node:http';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertOwnPage, CSRF_HEADER, mayUseSession } from './own-page.js';
import { endedCookie, sessionCookie, sessionTokenIn } from './session-cookie.js';
import { WebSessions } from './web-sessions.js';

const KEY = 'pb_canary_key';
let now: number;
let sessions: WebSessions;

beforeEach(() => {
  now = 1_000_000;
  sessions = new WebSessions({ now: () => now, maxMs: 1000, idleMs: 300 });
});

describe('a session of a browser', () => {
  it('is found by its token, and holds what was logged in with unseen', () => {
    const { token, session } = sessions.open(KEY);
    expect(sessions.find(token)).toBe(session);
    expect(session.credential.reveal()).toBe(KEY);
    expect(inspect(sessions, { depth: 10, showHidden: true })).not.toContain(KEY);
    expect(sessions.find(`${token}x`)).toBeUndefined();
    expect(sessions.open(KEY).token).not.toBe(token);
  });

  it('ends when it is closed, was not used, or has lasted long enough', () => {
    const { token } = sessions.open(KEY);
    sessions.close(token);
    expect(sessions.find(token)).toBeUndefined();
    const idle = sessions.open(KEY).token;
    now += 300;
    expect(sessions.find(idle)).toBeUndefined();
    const used = sessions.open(KEY).token;
    for (let turn = 0; turn < 4; turn += 1) {
      now += 249;
      expect(sessions.find(used)).toBeDefined();
    }
    now += 249;
    expect(sessions.find(used)).toBeUndefined();
  });

  it('leaves nothing behind when it was forgotten', () => {
    sessions.open(KEY);
    now += 2000;
    sessions.open(KEY);
    expect(sessions.size).toBe(1);
  });
});

describe('its cookie', () => {
  it.each([
    [false, 'plugboard_session=t; Max-Age=60; Path=/; HttpOnly; SameSite=Strict'],
    [true, '__Host-plugboard_session=t; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure'],
  ])('is of no use to scripts and other sites; over https: %s', (secure, expected) => {
    expect(sessionCookie('t', secure, 60)).toBe(expected);
    expect(endedCookie(secure)).toContain('=; Max-Age=0;');
    const name = expected.split('=')[0] ?? '';
    expect(sessionTokenIn(`a=b; ${name}=t; c=d`, secure)).toBe('t');
    expect(sessionTokenIn(`x${name}=t`, secure)).toBeUndefined();
    expect(sessionTokenIn(`${name}=`, secure)).toBeUndefined();
    expect(sessionTokenIn(undefined, secure)).toBeUndefined();
  });

  it('of a connection in clear does not count over https', () => {
    expect(sessionTokenIn('plugboard_session=t', true)).toBeUndefined();
  });
});

const request = (method: string, headers: Readonly<Record<string, string>>): IncomingMessage =>
  ({ method, headers: { host: 'hub.example', ...headers } }) as unknown as IncomingMessage;

describe('a request with the session of a browser', () => {
  const { session } = new WebSessions({ now: () => 0 }).open(KEY);
  const proof = { [CSRF_HEADER]: session.csrf };

  it.each([
    ['POST', { ...proof }],
    ['DELETE', { ...proof, origin: 'https://hub.example', 'sec-fetch-site': 'same-origin' }],
    ['GET', { ...proof }],
    ['PATCH', { ...proof, origin: 'https://public.example' }],
  ])('is accepted from our pages: %s %o', (method, headers) => {
    expect(mayUseSession(request(method, headers), session, 'https://public.example/hub')).toBe(true);
  });

  it.each([
    ['POST', {}],
    ['POST', { [CSRF_HEADER]: 'guessed' }],
    ['PUT', { ...proof, origin: 'https://evil.example' }],
    ['PATCH', { ...proof, origin: 'null' }],
    ['DELETE', { ...proof, 'sec-fetch-site': 'cross-site' }],
    ['POST', { ...proof, 'sec-fetch-site': 'same-site' }],
  ])('is refused from elsewhere, or without its proof: %s %o', (method, headers) => {
    expect(() => mayUseSession(request(method, headers), session, undefined)).toThrowError(
      expect.objectContaining({ code: 'ORIGIN_REFUSED' }) as Error,
    );
  });

  it.each([
    ['/v1/keys', {}, false],
    ['/v1/keys?x=/v1/events', {}, false],
    ['/v1/eventsx', {}, false],
    ['/x/v1/events', {}, false],
    ['/v1/checks/a/b/report', {}, false],
    ['/v1/checks/a', {}, false],
    ['/v1/keys', { [CSRF_HEADER]: 'guessed' }, false],
    ['/v1/events', {}, true],
    ['/v1/mcp-servers/connect/id', {}, true],
    ['/v1/checks/id/report?format=html', {}, true],
    ['/v1/benchmarks/id/report', {}, true],
  ])('that reads %s with %o, by the cookie alone: %s', (url, headers, may) => {
    expect(mayUseSession(Object.assign(request('GET', headers), { url }), session, undefined)).toBe(may);
  });

  it('may come from a program, which names no page', () => {
    expect(() => assertOwnPage(request('POST', {}), undefined)).not.toThrow();
  });
});
