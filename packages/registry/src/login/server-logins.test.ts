import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  HUB_LOGIN,
  PlugboardError,
  type OAuthFailureKind,
  type OAuthProtocol,
  type Server,
  type TokenSet,
} from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import { openSqliteStore } from '../store/sqlite-store.js';
import type { Store } from '../store/store.js';
import { insert, sampleServer } from '../test-support/store-samples.js';
import { issuerId } from './issuer-id.js';
import type { RefusedRequest } from './oauth-credentials.js';
import { ServerLogins, type LoginArrival, type ServerLoginsOptions } from './server-logins.js';

const ISSUER = 'https://login.example';
const AGENT = 'agent-00000000-0000-4000-8000-000000000001';
const signal = new AbortController().signal;

/** The authorization server as the port shows it; each test changes what it answers. */
interface Authority {
  readonly asked: string[];
  readonly scopes: (string | undefined)[];
  issuer: string;
  failure: PlugboardError | undefined;
  lifeMs: number;
  refreshes: boolean;
}

const failed = (kind: OAuthFailureKind): PlugboardError =>
  new PlugboardError('UPSTREAM_AUTH', `The authorization server said ${kind}.`, { details: { oauth_failure: kind } });

let home: string;
let store: Store;
let now: number;
let authority: Authority;
let events: string[];
let logins: ServerLogins;
let tracker: Server;

const tokens = (): TokenSet => ({
  accessToken: `token-${authority.asked.length}`,
  ...(authority.refreshes ? { refreshToken: `refresh-${authority.asked.length}` } : {}),
  expiresAt: now + authority.lifeMs,
});

const answering = async <T>(what: string, answer: () => T): Promise<T> => {
  authority.asked.push(what);
  if (authority.failure !== undefined) throw authority.failure;
  return answer();
};

const protocol = (): OAuthProtocol => ({
  discover: ({ serverUrl }) =>
    answering('discover', () => ({
      resource: serverUrl,
      metadata: { issuer: authority.issuer, token_endpoint: `${authority.issuer}/token` },
    })),
  obtainClient: ({ settings }) =>
    answering('client', () => ({
      clientId: settings?.client_id ?? 'registered-1',
      authMethod: 'none',
      source: settings?.client_id === undefined ? 'registered' : 'configured',
    })),
  chooseScope: ({ challenge, earlier }) => {
    const asked = /scope="(?<scope>[^"]*)"/u.exec(challenge ?? '')?.groups?.['scope'];
    const scopes = new Set(`${earlier ?? ''} ${asked ?? ''}`.split(' ').filter((scope) => scope !== ''));
    return scopes.size === 0 ? undefined : [...scopes].join(' ');
  },
  startLogin: async ({ state, scope }) => {
    authority.asked.push('login');
    authority.scopes.push(scope);
    return { url: `${authority.issuer}/authorize?state=${state}`, codeVerifier: 'verifier' };
  },
  exchangeCode: ({ answer }) => answering(`code ${answer.get('code')}`, tokens),
  refresh: ({ refreshToken }) => answering(`refresh ${refreshToken}`, tokens),
  clientCredentials: ({ scope }) => answering(`own ${scope ?? ''}`.trim(), tokens),
  revoke: ({ tokens: { refreshToken } }) => answering(`revoke ${refreshToken}`, () => true),
});

const open = (more: Partial<ServerLoginsOptions> = {}): ServerLogins => {
  const made = new ServerLogins({
    store: store.oauth,
    protocol: protocol(),
    clock: { now: () => now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    callbackUrl: (issuer) =>
      `http://127.0.0.1:2091/v1/tools/mcp/oauth/callback${issuer === undefined ? '' : `/${issuerId(issuer)}`}`,
    browserKey: new Uint8Array(32).fill(9),
    ...more,
  });
  made.attach({
    isRegistered: () => true,
    onAuthorized: (_id, holder) => void events.push(`authorized ${holder}`),
    onRenewed: () => void events.push('renewed'),
    onLoginNeeded: (_id, reason) => void events.push(`needed ${reason}`),
    onLoggedOut: (_id, holder) => void events.push(`out ${holder}`),
  });
  return made;
};

const register = async (name: string, oauth?: object): Promise<Server> => {
  const server = sampleServer(name, {
    mcp_server_type: 'streamable_http',
    server_url: `https://${name}.example/mcp`,
    ...(oauth === undefined ? {} : { oauth }),
  } as never);
  await insert(store, server);
  return server;
};

const stateOf = (url: string): string => new URL(url).searchParams.get('state') ?? '';

const arrivalOf = (change: Partial<LoginArrival> = {}): LoginArrival => ({
  issuerId: issuerId(authority.issuer),
  cookies: new Map(),
  holders: 'any',
  ...change,
});

const answerTo = async (sessionId: string, code = 'abc'): Promise<URLSearchParams> => {
  const login = await store.oauth.login(sessionId);
  return new URLSearchParams({ state: stateOf(login?.authorizationUrl ?? ''), code });
};

const logIn = async (server = tracker, holder = HUB_LOGIN): Promise<string> => {
  const { id } = await logins.start(server, { signal, holder });
  await logins.complete(await answerTo(id), arrivalOf());
  return id;
};

const refusal = (sent: Readonly<Record<string, string>> = {}, challenge?: string): RefusedRequest => ({
  challenge,
  sent,
});

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-logins-'));
  const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(5) });
  store = await openSqliteStore({ file: join(home, 'p.db'), secretBox });
  now = 1_000_000;
  authority = { asked: [], scopes: [], issuer: ISSUER, failure: undefined, lifeMs: 3_600_000, refreshes: true };
  events = [];
  logins = open();
  tracker = await register('tracker');
});

afterEach(async () => {
  await logins.close();
  await store.close();
  await rm(home, { recursive: true, force: true });
});

describe('a login', () => {
  it('begins at the authorization server that the server names, and is pending', async () => {
    const session = await logins.start(tracker, { signal });
    expect(session).toMatchObject({ status: 'pending', server_name: 'tracker' });
    expect(authority.asked).toEqual(['discover', 'client', 'login']);
  });

  it('is handed out again while it waits, and begun anew when half of its time is over', async () => {
    const first = await logins.start(tracker, { signal });
    expect((await logins.start(tracker, { signal })).id).toBe(first.id);
    now += 6 * 60_000;
    expect((await logins.start(tracker, { signal })).id).not.toBe(first.id);
  });

  it('gives tokens to the calls of its holder once it is completed', async () => {
    await logIn();
    expect(events).toEqual(['authorized local']);
    expect(await logins.credentialsFor(tracker)?.headers(signal)).toEqual({ authorization: 'Bearer token-4' });
  });

  it('reuses the client that it registered at the same issuer', async () => {
    await logIn();
    await logIn();
    expect(authority.asked.filter((what) => what === 'client')).toHaveLength(1);
  });

  it('works once', async () => {
    const { id } = await logins.start(tracker, { signal });
    const answer = await answerTo(id);
    await logins.complete(answer, arrivalOf());
    await expect(logins.complete(answer, arrivalOf())).rejects.toThrow('Invalid or expired state');
    await expect(logins.complete(new URLSearchParams(), arrivalOf())).rejects.toThrow('Missing state');
  });

  it('is refused at the callback of another authorization server', async () => {
    const { id } = await logins.start(tracker, { signal });
    const elsewhere = arrivalOf({ issuerId: issuerId('https://other.example') });
    await expect(logins.complete(await answerTo(id), elsewhere)).rejects.toMatchObject({ code: 'UPSTREAM_AUTH' });
    expect(await logins.session(id)).toMatchObject({ status: 'error' });
  });

  it('is not for programs, nor for servers that the hub logs in to as itself', async () => {
    await expect(logins.start(sampleServer('files'), { signal })).rejects.toThrow('stdio');
    const machine = await register('machine', { grant: 'client_credentials', client_id: 'm' });
    await expect(logins.start(machine, { signal })).rejects.toThrow('client credentials');
  });

  it('needs a place where browsers can come back to', async () => {
    const unreachable = open({ callbackUrl: () => undefined });
    await expect(unreachable.start(tracker, { signal })).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  });

  it('says what the authorization server said when it failed, and registers anew when that forgot the client', async () => {
    const { id } = await logins.start(tracker, { signal });
    const answer = await answerTo(id);
    authority.failure = failed('invalid-client');
    await expect(logins.complete(answer, arrivalOf())).rejects.toThrow('invalid-client');
    authority.failure = undefined;
    await logins.start(tracker, { signal });
    expect(authority.asked.filter((what) => what === 'client')).toHaveLength(2);
  });
});

describe('the browser', () => {
  it('that began a login may finish it, and no other', async () => {
    const { id } = await logins.start(tracker, { signal, holder: AGENT });
    const opening = await logins.opening(id);
    expect(opening).toMatchObject({ serverName: 'tracker', issuer: ISSUER, holder: AGENT, maxAgeSeconds: 600 });
    const stranger = arrivalOf({ holders: [HUB_LOGIN] });
    await expect(logins.complete(await answerTo(id), stranger)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    const { name = '', value = '' } = opening?.cookie ?? {};
    await logins.complete(await answerTo(id), arrivalOf({ holders: [], cookies: new Map([[name, value]]) }));
    expect(events).toEqual([`authorized ${AGENT}`]);
  });

  it('is let through without a cookie when the request proves the holder', async () => {
    const { id } = await logins.start(tracker, { signal, holder: AGENT });
    await logins.complete(await answerTo(id), arrivalOf({ holders: [AGENT] }));
    expect(events).toEqual([`authorized ${AGENT}`]);
  });

  it('finds no login that is over or unknown', async () => {
    const { id } = await logins.start(tracker, { signal });
    now += 11 * 60_000;
    expect(await logins.opening(id)).toBeUndefined();
    expect(await logins.opening('mcp-oauth-none')).toBeUndefined();
  });
});

describe('sessions', () => {
  it('are seen by their holder alone', async () => {
    const { id } = await logins.start(tracker, { signal, holder: AGENT });
    await expect(logins.session(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await logins.session(id, [AGENT])).toMatchObject({ id });
    expect(await logins.sessions(tracker.id)).toEqual([]);
    expect(await logins.sessions(undefined, [HUB_LOGIN, AGENT])).toHaveLength(1);
  });

  it('can be waited for', async () => {
    const { id } = await logins.start(tracker, { signal });
    const waited = logins.wait(id, { ms: 20_000, signal });
    await logins.complete(await answerTo(id), arrivalOf());
    expect(await waited).toMatchObject({ status: 'authorized' });
  });

  it('are told as they are when the time to wait is up, or the wait is cancelled', async () => {
    const { id } = await logins.start(tracker, { signal });
    expect(await logins.wait(id, { ms: 1, signal })).toMatchObject({ status: 'pending' });
    await expect(logins.settled(id, 20_000, AbortSignal.abort())).rejects.toThrow(/abort/iu);
  });

  it('that are ended cannot be completed, and what they brought is revoked', async () => {
    const { id } = await logins.start(tracker, { signal });
    const answer = await answerTo(id);
    await logins.end(id);
    await expect(logins.complete(answer, arrivalOf())).rejects.toThrow('Invalid or expired state');
    const done = await logIn();
    await logins.end(done);
    expect(authority.asked.filter((what) => what.startsWith('revoke'))).not.toEqual([]);
    expect(events.at(-1)).toBe('out local');
  });
});

describe('logging out', () => {
  it('revokes the tokens and forgets them, even when the authorization server is away', async () => {
    await logIn();
    authority.failure = failed('transient');
    expect(await logins.logout(tracker)).toBe(true);
    expect(await logins.credentialsFor(tracker)?.headers(signal)).toEqual({});
    expect(await logins.logout(tracker)).toBe(false);
    expect(await logins.logout(sampleServer('files'))).toBe(false);
  });

  it('happens for everything that somebody held who is gone', async () => {
    await logIn(tracker, AGENT);
    await logins.forget(AGENT);
    expect(authority.asked.some((what) => what.startsWith('revoke'))).toBe(true);
    expect(await store.oauth.credentialsHeldBy(AGENT)).toEqual([]);
  });

  it('happens after a server was deleted, by what was known before', async () => {
    await logIn();
    const revoke = await logins.beforeDelete(tracker);
    expect(authority.asked.some((what) => what.startsWith('revoke'))).toBe(false);
    await revoke();
    expect(authority.asked.some((what) => what.startsWith('revoke'))).toBe(true);
  });
});

describe('a refused call', () => {
  const challenge = 'Bearer resource_metadata="https://tracker.example/.well-known/oauth-protected-resource"';

  it('asks for a login when there is none', async () => {
    const credentials = logins.credentialsFor(tracker);
    await expect(credentials?.refresh(challenge, signal, refusal({}, challenge))).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
      details: { reason: 'missing', server: 'tracker' },
    });
    expect(events).toEqual(['needed missing']);
  });

  it('is sent again with the token that somebody else renewed meanwhile', async () => {
    await logIn();
    const old = { authorization: 'Bearer older' };
    expect(await logins.credentialsFor(tracker)?.refresh(undefined, signal, refusal(old))).toBe(true);
    expect(authority.asked.some((what) => what.startsWith('refresh'))).toBe(false);
  });

  it('renews the token that was refused', async () => {
    await logIn();
    const sent = await logins.credentialsFor(tracker)?.headers(signal);
    expect(await logins.credentialsFor(tracker)?.refresh(undefined, signal, refusal(sent))).toBe(true);
    expect(authority.asked.at(-1)).toBe('refresh refresh-4');
    expect(events.at(-1)).toBe('renewed');
  });

  it.each([
    ['expired', 10_000_000, 'UPSTREAM_AUTH_EXPIRED'],
    ['revoked', 0, 'UPSTREAM_AUTH_REVOKED'],
  ] as const)('says that the login is %s when it cannot be renewed', async (reason, later, code) => {
    authority.refreshes = false;
    await logIn();
    const sent = await logins.credentialsFor(tracker)?.headers(signal);
    now += later;
    await expect(
      logins.credentialsFor(tracker)?.refresh(challenge, signal, refusal(sent, challenge)),
    ).rejects.toMatchObject({ code, details: { reason } });
  });

  it('is answered by the server itself where that offers no login', async () => {
    authority.failure = failed('unsupported');
    expect(await logins.credentialsFor(tracker)?.refresh(undefined, signal, refusal())).toBe(false);
    await expect(logins.credentialsFor(tracker)?.refresh(challenge, signal, refusal())).rejects.toThrow('unsupported');
  });

  it('asks for a wider login once, and not when the scope was granted already', async () => {
    await logIn();
    const wider = refusal({}, 'Bearer error="insufficient_scope", scope="write"');
    await expect(logins.credentialsFor(tracker)?.stepUp(wider, signal)).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
      details: { reason: 'scope' },
    });
    expect(authority.scopes.at(-1)).toBe('write');
    const session = (await logins.sessions(tracker.id)).find(({ status }) => status === 'pending');
    await logins.complete(await answerTo(session?.id ?? ''), arrivalOf());
    expect(await logins.credentialsFor(tracker)?.stepUp(wider, signal)).toBe(false);
  });

  it('asks for a login when even a new token is refused, but not for a missing scope', async () => {
    await logIn();
    const sent = { authorization: 'Bearer x' };
    const credentials = logins.credentialsFor(tracker);
    await credentials?.rejected(refusal(sent, 'Bearer error="insufficient_scope"'), signal);
    await expect(credentials?.rejected(refusal(sent, 'Bearer'), signal)).rejects.toMatchObject({
      details: { reason: 'refused' },
    });
  });
});

describe('whose token it is', () => {
  it('an agent borrows the login of the hub until it has its own', async () => {
    await logIn();
    const borrowed = await logins.credentialsFor(tracker, { holder: AGENT })?.headers(signal);
    expect(borrowed).toEqual({ authorization: 'Bearer token-4' });
    await logIn(tracker, AGENT);
    const own = await logins.credentialsFor(tracker, { holder: AGENT })?.headers(signal);
    expect(own).not.toEqual(borrowed);
    expect(await logins.credentialsFor(tracker)?.headers(signal)).toEqual(borrowed);
  });

  it('an agent borrows nothing where each has its own', async () => {
    const own = await register('own', { sharing: 'per-agent' });
    await logIn(own);
    expect(await logins.credentialsFor(own, { holder: AGENT })?.headers(signal)).toEqual({});
  });

  it('a token is not sent to another URL', async () => {
    await logIn();
    const moved = sampleServer('tracker', {
      mcp_server_type: 'streamable_http',
      server_url: 'https://elsewhere.example/mcp',
    } as never);
    expect(await logins.credentialsFor({ ...moved, id: tracker.id })?.headers(signal)).toEqual({});
  });

  it('a server with a token of its own has no login', async () => {
    const fixed = sampleServer('fixed', {
      mcp_server_type: 'streamable_http',
      server_url: 'https://fixed.example/mcp',
      auth_token: 'mine',
    } as never);
    expect(logins.credentialsFor(fixed)).toBeUndefined();
  });
});

describe('a server that the hub logs in to as itself', () => {
  const SETTINGS = { grant: 'client_credentials', client_id: 'machine', issuer: ISSUER, client_secret: 'secret' };

  it('gets a token without a person, one for all who wait', async () => {
    const machine = await register('machine', SETTINGS);
    const credentials = logins.credentialsFor(machine);
    const refresh = async (): Promise<boolean | undefined> => await credentials?.refresh(undefined, signal, refusal());
    expect(await Promise.all([refresh(), refresh()])).toEqual([true, true]);
    expect(authority.asked.filter((what) => what === 'own')).toHaveLength(1);
    expect(await credentials?.headers(signal)).toHaveProperty('authorization');
  });

  it('gets a wider token when the server asks for it', async () => {
    const machine = await register('machine', SETTINGS);
    const credentials = logins.credentialsFor(machine);
    await credentials?.refresh(undefined, signal, refusal());
    const wider = refusal({}, 'Bearer error="insufficient_scope", scope="write"');
    expect(await credentials?.stepUp(wider, signal)).toBe(true);
    expect(authority.asked.at(-1)).toBe('own write');
    await credentials?.rejected(wider, signal);
  });

  it('sends its secret to the issuer that was configured, and to no other', async () => {
    const machine = await register('machine', SETTINGS);
    authority.issuer = 'https://thief.example';
    await expect(logins.credentialsFor(machine)?.refresh(undefined, signal, refusal())).rejects.toMatchObject({
      code: 'UPSTREAM_AUTH',
    });
    expect(authority.asked).toEqual(['discover']);
  });
});
