import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlugboardError, type OAuthFailureKind, type OAuthProtocol, type TokenSet } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEnvelopeSecretBox } from '../../secret/envelope-secret-box.js';
import type { NewCredential } from '../../store/oauth-store.js';
import { openSqliteStore } from '../../store/sqlite-store.js';
import type { Store } from '../../store/store.js';
import { TokenBroker } from './token-broker.js';

const never = new AbortController().signal;
const key = { owner: 'a server', principal: 'local' };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const failure = (kind: OAuthFailureKind): PlugboardError =>
  new PlugboardError('UPSTREAM_AUTH', 'no', { details: { oauth_failure: kind } });

let home: string;
let store: Store;
let now: number;
/** What the authorization server was asked, and what it answers next. */
let asked: { how: string; with: string | undefined }[];
let next: () => Promise<TokenSet>;

const unused = (): Promise<never> => Promise.reject(new Error('not expected'));

const protocol: OAuthProtocol = {
  discover: unused,
  startLogin: unused,
  exchangeCode: unused,
  revoke: unused,
  chooseScope: () => undefined,
  obtainClient: async ({ settings }) => ({
    clientId: settings?.client_id ?? '',
    authMethod: 'none',
    source: 'configured',
  }),
  refresh: async ({ refreshToken, client }) => {
    asked.push({ how: `refresh as ${client.clientId}`, with: refreshToken });
    return next();
  },
  clientCredentials: async ({ scope }) => {
    asked.push({ how: 'client credentials', with: scope });
    return next();
  },
};

const credential = (change: Partial<NewCredential> = {}): NewCredential => ({
  key,
  serverUrl: 'https://tools.example/mcp',
  grant: 'authorization_code',
  sendResource: true,
  authorization: {
    resource: 'https://tools.example/mcp',
    metadata: { issuer: 'https://login.example', token_endpoint: 'https://login.example/token' },
  },
  client: { clientId: 'me', authMethod: 'none', source: 'registered' },
  tokens: { accessToken: 'old', refreshToken: 'r1', expiresAt: 10_000_000 },
  ended: undefined,
  scope: 'a',
  updatedAt: 0,
  ...change,
});

const broker = (holder = 'me'): TokenBroker =>
  new TokenBroker({
    store: store.oauth,
    protocol,
    clock: { now: () => now },
    log: silent,
    holder,
    lookMs: 5,
    renewalMs: 500,
  });

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-broker-'));
  const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(3) });
  store = await openSqliteStore({ file: join(home, 'p.db'), secretBox });
  now = 0;
  asked = [];
  next = async () => ({
    accessToken: `new-${asked.length}`,
    refreshToken: `r${asked.length + 1}`,
    expiresAt: now + 3_600_000,
  });
});
afterEach(async () => {
  await store.close();
  await rm(home, { recursive: true, force: true });
});

const tokenOf = async (from: TokenBroker): Promise<string | undefined> =>
  (await from.usable({ key }, never))?.tokens?.accessToken;

describe('a token that lives', () => {
  it('is handed out without asking anybody, also when it was never said how long it lives', async () => {
    await store.oauth.putCredential(credential());
    expect(await tokenOf(broker())).toBe('old');
    await store.oauth.putCredential(credential({ tokens: { accessToken: 'timeless', refreshToken: 'r1' } }));
    now = 1e15;
    expect(await tokenOf(broker())).toBe('timeless');
    expect(asked).toEqual([]);
  });

  it('is nobody elses, and nothing where nobody logged in', async () => {
    expect(await tokenOf(broker())).toBeUndefined();
  });

  it('is renewed ahead of its end, behind the one who asks', async () => {
    const held = broker();
    await store.oauth.putCredential(credential());
    now = 10_000_000 - 30_000;
    expect(await tokenOf(held)).toBe('old');
    await held.close();
    expect(await tokenOf(held)).toBe('new-1');
    expect(asked).toEqual([{ how: 'refresh as me', with: 'r1' }]);
  });

  it('still serves when renewing it ahead of time fails', async () => {
    const held = broker();
    await store.oauth.putCredential(credential());
    now = 10_000_000 - 30_000;
    next = () => Promise.reject(failure('transient'));
    expect(await tokenOf(held)).toBe('old');
    await held.close();
    expect(await tokenOf(held)).toBe('old');
    expect(await store.oauth.credential(key)).toMatchObject({ tokens: { accessToken: 'old', refreshToken: 'r1' } });
  });
});

describe('a token that ran out', () => {
  beforeEach(async () => {
    await store.oauth.putCredential(credential());
    now = 10_000_001;
  });

  it('is renewed once for all who ask, in one process and in several', async () => {
    const brokers = [broker('one'), broker('two'), broker('three')];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_none, index) => tokenOf(brokers[index % 3] ?? broker())),
    );
    expect(new Set(answers)).toEqual(new Set(['new-1']));
    expect(asked).toHaveLength(1);
  });

  it('is renewed by the next who asks when the one who was at it died', async () => {
    await store.oauth.lease(key, { holder: 'dead', ttlMs: 0 });
    expect(await tokenOf(broker())).toBe('new-1');
  });

  it('outlives a failure that may pass', async () => {
    next = () => Promise.reject(failure('transient'));
    await expect(tokenOf(broker())).rejects.toThrow('no');
    expect(await store.oauth.credential(key)).toMatchObject({ tokens: { refreshToken: 'r1' }, ended: undefined });
    next = async () => ({ accessToken: 'after all', expiresAt: now + 1e6 });
    expect(await tokenOf(broker())).toBe('after all');
  });

  it('is given up when its authorization server says so', async () => {
    next = () => Promise.reject(failure('invalid-grant'));
    expect(await tokenOf(broker())).toBeUndefined();
    expect(await store.oauth.credential(key)).toMatchObject({ tokens: undefined, ended: 'revoked', scope: 'a' });
  });

  it('is given up with the registration when the client was forgotten', async () => {
    await store.oauth.putClient('https://login.example', 'http://cb', credential().client);
    next = () => Promise.reject(failure('invalid-client'));
    expect(await tokenOf(broker())).toBeUndefined();
    expect(await store.oauth.client('https://login.example', 'http://cb')).toBeUndefined();
  });

  it('is renewed with the client as it is configured now, and kept while that one is wrong', async () => {
    await store.oauth.putCredential(
      credential({ client: { clientId: 'before', authMethod: 'none', source: 'configured' } }),
    );
    const settings = { grant: 'authorization_code' as const, client_id: 'now' };
    next = () => Promise.reject(failure('invalid-client'));
    await expect(broker().usable({ key, settings }, never)).rejects.toThrow('no');
    expect(await store.oauth.credential(key)).toMatchObject({ tokens: { refreshToken: 'r1' } });
    next = async () => ({ accessToken: 'right' });
    expect((await broker().usable({ key, settings }, never))?.tokens?.accessToken).toBe('right');
    expect(asked.at(-1)).toEqual({ how: 'refresh as now', with: 'r1' });
  });

  it('gives way to a login that came in between', async () => {
    const arrived = credential({ tokens: { accessToken: 'of the new login', expiresAt: now + 1e6 } });
    next = async () => {
      await store.oauth.putCredential(arrived);
      return { accessToken: 'too late' };
    };
    expect(await tokenOf(broker())).toBe('of the new login');
  });

  it('is asked for anew with client credentials', async () => {
    await store.oauth.putCredential(
      credential({ grant: 'client_credentials', tokens: { accessToken: 'x', expiresAt: 1 } }),
    );
    expect(await tokenOf(broker())).toBe('new-1');
    expect(asked).toEqual([{ how: 'client credentials', with: 'a' }]);
  });

  it('is sent as it is where nothing can renew it: the server has the last word', async () => {
    await store.oauth.putCredential(credential({ tokens: { accessToken: 'alone', expiresAt: 1 } }));
    expect(await tokenOf(broker())).toBe('alone');
    expect(asked).toEqual([]);
  });

  it('is not waited for by those who leave, and is renewed all the same', async () => {
    const held = broker();
    const leaving = new AbortController();
    let answer = (_tokens: TokenSet): void => undefined;
    const begun = new Promise<void>((resolve) => {
      next = () => {
        resolve();
        return new Promise((done) => (answer = done));
      };
    });
    const waiting = held.usable({ key }, leaving.signal);
    await begun;
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    answer({ accessToken: 'kept', refreshToken: 'r2', expiresAt: now + 1e6 });
    await held.close();
    expect(await tokenOf(held)).toBe('kept');
  });
});
