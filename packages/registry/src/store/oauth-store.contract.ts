import { randomUUID } from 'node:crypto';
import type { Server } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { NewCredential, StoredLogin } from './oauth-store.js';
import type { Store } from './store.js';

const URL_OF_SERVER = 'https://tools.example/mcp';
const METADATA = { issuer: 'https://login.example', token_endpoint: 'https://login.example/token' };
const CLIENT = {
  clientId: 'me',
  clientSecret: 'client-secret-canary',
  authMethod: 'client_secret_basic',
  source: 'registered',
} as const;
const TOKENS = { accessToken: 'access-canary', refreshToken: 'refresh-canary', expiresAt: 5000 };

const login = (change: Partial<StoredLogin> = {}): StoredLogin => ({
  id: `mcp-oauth-${randomUUID()}`,
  key: { owner: `url ${URL_OF_SERVER}`, principal: 'local' },
  serverId: null,
  serverName: 'tools',
  serverUrl: URL_OF_SERVER,
  status: 'pending',
  redirectUri: 'http://127.0.0.1/cb',
  scope: 'a b',
  sendResource: true,
  authorization: { resource: URL_OF_SERVER, metadata: METADATA },
  client: CLIENT,
  state: randomUUID(),
  codeVerifier: 'verifier-canary',
  authorizationUrl: 'https://login.example/authorize?state=state-canary',
  error: undefined,
  createdAt: 1000,
  expiresAt: 2000,
  ...change,
});

const credential = (change: Partial<NewCredential> = {}): NewCredential => ({
  key: { owner: `url ${URL_OF_SERVER}`, principal: 'local' },
  serverUrl: URL_OF_SERVER,
  grant: 'authorization_code',
  sendResource: false,
  authorization: { resource: URL_OF_SERVER, metadata: METADATA },
  client: CLIENT,
  tokens: TOKENS,
  ended: undefined,
  scope: 'a',
  updatedAt: 1000,
  ...change,
});

export interface OAuthStoreSuite {
  readonly store: () => Store;
  /** Every text that the database holds. */
  readonly dump: () => Promise<string>;
  readonly serverAt: (url: string) => Server;
}

/** What every store must do with logins and tokens. */
export const describeOAuthStore = ({ store, dump, serverAt }: OAuthStoreSuite): void => {
  describe('logins', () => {
    it('come back as they were put, and their secrets are sealed', async () => {
      const put = login();
      await store().oauth.putLogin(put);
      expect(await store().oauth.login(put.id)).toEqual(put);
      expect(await store().oauth.logins({ principal: 'local' })).toEqual([put]);
      expect(await store().oauth.logins({ principal: 'somebody else' })).toEqual([]);
      const bytes = await dump();
      for (const secret of ['verifier-canary', 'state-canary', 'client-secret-canary', put.state]) {
        expect(bytes).not.toContain(secret);
      }
    });

    it('are claimed by their state once, and only in time', async () => {
      const [first, late] = [login(), login()];
      await store().oauth.putLogin(first);
      await store().oauth.putLogin(late);
      const claims = await Promise.all([1, 2, 3].map(() => store().oauth.claimLogin(first.state, 1500)));
      expect(claims.filter((claimed) => claimed !== undefined)).toEqual([{ ...first, status: 'exchanging' }]);
      expect(await store().oauth.claimLogin(late.state, 2000)).toBeUndefined();
      expect(await store().oauth.claimLogin('unknown', 1500)).toBeUndefined();
    });

    it('end in success or with an error, and are forgotten', async () => {
      const [good, bad] = [login(), login()];
      await store().oauth.putLogin(good);
      await store().oauth.putLogin(bad);
      await store().oauth.settleLogin(good.id, {});
      await store().oauth.settleLogin(bad.id, { error: { code: 'UPSTREAM_AUTH', message: 'No.' } });
      expect((await store().oauth.login(good.id))?.status).toBe('authorized');
      expect(await store().oauth.login(bad.id)).toMatchObject({ status: 'error', error: { message: 'No.' } });
      await store().oauth.forgetLogins(3000);
      expect(await store().oauth.login(bad.id)).toBeUndefined();
      await store().oauth.deleteLogins(good.key);
      expect(await store().oauth.login(good.id)).toBeUndefined();
    });
  });

  describe('credentials', () => {
    it('come back as they were put, and their secrets are sealed', async () => {
      expect(await store().oauth.credential(credential().key)).toBeUndefined();
      const stored = await store().oauth.putCredential(credential());
      expect(stored).toEqual({ ...credential(), version: 1 });
      expect(await store().oauth.credential(stored.key)).toEqual(stored);
      const bytes = await dump();
      for (const secret of ['access-canary', 'refresh-canary', 'client-secret-canary']) {
        expect(bytes).not.toContain(secret);
      }
    });

    it('are changed only by whoever knows their version', async () => {
      const { key, version } = await store().oauth.putCredential(credential());
      const tokens = { accessToken: 'new' };
      const changes = await Promise.all([1, 2].map(() => store().oauth.replaceTokens(key, version, { tokens, at: 7 })));
      expect(changes.filter((changed) => changed !== undefined)).toHaveLength(1);
      expect(await store().oauth.credential(key)).toMatchObject({ tokens, version: version + 1, updatedAt: 7 });
      const again = await store().oauth.putCredential(credential());
      expect(again.version).toBe(version + 2);
      const ended = await store().oauth.replaceTokens(key, again.version, {
        tokens: undefined,
        ended: 'revoked',
        at: 8,
      });
      expect(ended).toMatchObject({ tokens: undefined, ended: 'revoked' });
      expect(await store().oauth.credential(key)).toEqual(ended);
    });

    it('are leased to one at a time, until it lets go or its time is up', async () => {
      const { key } = await store().oauth.putCredential(credential());
      const lease = (holder: string, ttlMs = 60_000) => store().oauth.lease(key, { holder, ttlMs });
      expect(await Promise.all([lease('a'), lease('b')])).toEqual(expect.arrayContaining([true, false]));
      expect(await lease('c')).toBe(false);
      await store().oauth.releaseLease(key, 'somebody else');
      expect(await lease('c')).toBe(false);
      await Promise.all(['a', 'b'].map((holder) => store().oauth.releaseLease(key, holder)));
      expect(await lease('c', 0)).toBe(true);
      expect(await lease('d')).toBe(true);
      const unknown = { owner: 'nobody', principal: 'x' };
      expect(await store().oauth.lease(unknown, { holder: 'd', ttlMs: 0 })).toBe(false);
    });
  });

  describe('client registrations', () => {
    it('belong to an issuer and a place to come back to', async () => {
      const { oauth } = store();
      await oauth.putClient('https://one', 'http://a', CLIENT);
      await oauth.putClient('https://one', 'http://a', { ...CLIENT, clientId: 'newer' });
      expect(await oauth.client('https://one', 'http://a')).toMatchObject({ clientId: 'newer' });
      expect(await oauth.client('https://two', 'http://a')).toBeUndefined();
      expect(await oauth.client('https://one', 'http://b')).toBeUndefined();
      expect(await dump()).not.toContain('client-secret-canary');
      await oauth.deleteClients('https://one');
      expect(await oauth.client('https://one', 'http://a')).toBeUndefined();
    });
  });

  describe('a principal', () => {
    it('has logins of its own, and takes them along when it goes', async () => {
      const { oauth } = store();
      const own = credential({ key: { owner: 'url https://other.example/mcp', principal: 'agent-1' } });
      await oauth.putCredential(credential());
      await oauth.putCredential(own);
      await oauth.putLogin({ ...login(), key: own.key });
      expect(await oauth.credentialsHeldBy('agent-1')).toMatchObject([{ key: own.key }]);
      expect(await oauth.credential({ ...credential().key, principal: 'agent-1' })).toBeUndefined();
      expect(await oauth.logins({ principal: 'local' })).toEqual([]);
      await oauth.deleteHeldBy('agent-1');
      expect(await oauth.credentialsHeldBy('agent-1')).toEqual([]);
      expect(await oauth.logins({ principal: 'agent-1' })).toEqual([]);
      expect(await oauth.credential(credential().key)).toMatchObject({ tokens: TOKENS });
    });
  });

  describe('a server', () => {
    const server = serverAt(URL_OF_SERVER);

    it('takes over what was logged in to under its URL, and takes it along when it goes', async () => {
      const foreign = credential({ key: { owner: 'url https://other.example/mcp', principal: 'local' } });
      await store().oauth.putCredential(foreign);
      await store().oauth.putCredential(credential());
      await store().oauth.putLogin(login());
      await store().transaction(async (tx) => {
        await tx.insertServer(server);
        await tx.adoptLogins(server, 'local');
      });
      const key = { owner: server.id, principal: 'local' };
      expect(await store().oauth.credential(key)).toMatchObject({ tokens: TOKENS });
      expect(await store().oauth.logins({ serverId: server.id, principal: 'local' })).toHaveLength(1);
      await store().oauth.putCredential(credential());
      await store().transaction((tx) => tx.deleteServer(server.id));
      expect(await store().oauth.credential(key)).toBeUndefined();
      expect(await store().oauth.credential(credential().key)).toBeUndefined();
      expect(await store().oauth.logins({ principal: 'local' })).toEqual([]);
      expect(await store().oauth.credential(foreign.key)).toMatchObject({ tokens: TOKENS });
    });
  });
};
