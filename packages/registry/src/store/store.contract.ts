import { randomUUID } from 'node:crypto';
import {
  keepConfig,
  revealConfig,
  type ConnectConfig,
  type Server,
  type ServerId,
  type SyncReport,
  type ToolId,
} from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SecretBox } from '../secret/secret-box.js';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import { describeAccessStore } from './access-store.contract.js';
import { describeHealthServiceStore } from './health-service-store.contract.js';
import { describeAuditStore } from './audit-store.contract.js';
import { migrations } from './migrations.js';
import { describeOAuthStore } from './oauth-store.contract.js';
import type { Store, StoredTool } from './store.js';
import { describeToolsetStore } from './toolset-store.contract.js';

/** How the suite gets at an engine: every `open` of one instance sees the same, at first empty, database. */
export interface StoreUnderTest {
  open(box: SecretBox): Promise<Store>;
  /** Every text that the database holds, for what must not be in it. */
  dump(): Promise<string>;
  /** Runs one statement behind the store's back. */
  tamper(statement: string): Promise<void>;
  dispose(): Promise<void>;
}

const AT = '2026-01-02T03:04:05.678Z';
const box = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(7) });

export const sampleServer = (name: string, config?: ConnectConfig): Server => ({
  id: `mcp_server-${randomUUID()}`,
  server_name: name,
  config: keepConfig(config ?? { mcp_server_type: 'stdio', command: 'node', args: ['server.js'] }),
  enabled: true,
  protocol: null,
  last_sync: null,
  created_at: AT,
  updated_at: AT,
});

/** Secrets look all alike when they are compared, so they are opened first. */
const opened = (server: Server) => ({ ...server, config: revealConfig(server.config) });

export const sampleTool = (serverId: ServerId, upstreamName: string, position = 0): StoredTool => ({
  id: `tool-${randomUUID()}`,
  serverId,
  upstreamName,
  position,
  definition: {
    name: upstreamName,
    description: 'Zürich → \u0000 ✓',
    inputSchema: { type: 'object' },
    _meta: { x: 1 },
  },
  grade: { status: 'STRICT_COMPLIANT', reasons: [] },
  providers: undefined,
  tags: ['mine'],
  switchedOff: false,
  contractHash: 'hash',
  quarantine: undefined,
  createdAt: AT,
  updatedAt: AT,
});

const report: SyncReport = {
  status: 'ok',
  added: ['a'],
  updated: [],
  deleted: [],
  skipped: [],
  mended: [],
  failed: [],
  total: 1,
  dry_run: false,
  at: AT,
};

const insert = (store: Store, server: Server): Promise<void> => store.transaction((tx) => tx.insertServer(server));

const everything = async (store: Store) => (await store.changesSince(0)).changed;

/** What every store must do, whatever engine it stands on. */
export const describeStore = (engine: string, start: () => Promise<StoreUnderTest>): void => {
  describe(`store on ${engine}`, () => {
    let subject: StoreUnderTest;
    let store: Store;

    beforeEach(async () => {
      subject = await start();
      store = await subject.open(box);
    });
    afterEach(async () => {
      await store.close();
      await subject.dispose();
    });

    describe('servers', () => {
      it('come back as they were stored, after a reopen too', async () => {
        const http = sampleServer('Http one', {
          mcp_server_type: 'streamable_http',
          server_url: 'https://example.com/mcp',
          auth_header: 'X-Api-Key',
          auth_token: 'token-value',
          custom_headers: { 'X-One': 'first', 'x-two': '' },
        });
        const stdio = sampleServer('stdio', {
          mcp_server_type: 'stdio',
          command: 'node',
          args: [],
          env: { KEY: 'värde', __proto__x: '' },
          variables: { ROOT: 'of the server' },
          cwd: null,
        });
        await insert(store, http);
        await insert(store, stdio);
        await store.close();
        store = await subject.open(box);
        const servers = (await everything(store)).map((entry) => entry.server);
        expect(servers.map((entry) => opened(entry.server))).toEqual(
          expect.arrayContaining([opened(http), opened(stdio)]),
        );
        expect(servers).toHaveLength(2);
        expect(servers[0]).toMatchObject({ status: { state: 'unknown' }, configRevision: 1, unreadable: undefined });
      });

      it('are found by id and by name inside a transaction', async () => {
        const server = sampleServer('known');
        await insert(store, server);
        await store.transaction(async (tx) => {
          expect((await tx.server(server.id))?.server).toEqual(server);
          expect(await tx.server('mcp_server-none')).toBeUndefined();
          expect(await tx.serverIdByName('known')).toBe(server.id);
          expect(await tx.serverIdByName('KNOWN')).toBeUndefined();
        });
      });

      it('refuse a name that is taken, on insert and on rename, and stay as they were', async () => {
        const first = sampleServer('first');
        const second = sampleServer('second');
        await insert(store, first);
        await insert(store, second);
        await expect(insert(store, sampleServer('first'))).rejects.toMatchObject({ code: 'CONFLICT' });
        const rename = store.transaction((tx) => tx.updateServer(second.id, { name: 'first' }));
        await expect(rename).rejects.toMatchObject({ code: 'CONFLICT' });
        const names = (await everything(store)).map((entry) => entry.server.server.server_name);
        expect(names.toSorted()).toEqual(['first', 'second']);
      });

      it('change only in what a change names', async () => {
        const server = sampleServer('one');
        await insert(store, server);
        const later = '2027-01-01T00:00:00.000Z';
        const protocol = { era: 'legacy', revision: '2025-11-25', transport: 'stdio', checked_at: AT } as const;
        await store.transaction((tx) =>
          tx.updateServer(server.id, {
            name: 'two',
            enabled: false,
            updatedAt: later,
            protocol,
            lastSync: report,
            status: { state: 'ready', at: AT },
          }),
        );
        const [entry] = await everything(store);
        expect(entry?.server).toMatchObject({ status: { state: 'ready', at: AT }, configRevision: 1 });
        expect(entry?.server.server).toEqual({
          ...server,
          server_name: 'two',
          enabled: false,
          updated_at: later,
          protocol,
          last_sync: report,
        });
      });

      it('count the changes of their config', async () => {
        const server = sampleServer('one');
        await insert(store, server);
        const config = { mcp_server_type: 'stdio', command: 'deno', args: [] } as const;
        await store.transaction((tx) => tx.updateServer(server.id, { config: { ...config, args: [] } }));
        await store.transaction((tx) => tx.updateServer(server.id, { enabled: false }));
        const [entry] = await everything(store);
        expect(entry?.server.configRevision).toBe(2);
        expect(entry?.server.server.config).toEqual(config);
      });
    });

    describe('tools', () => {
      it('come back as they were stored, in the order of their server', async () => {
        const server = sampleServer('one');
        const tools = ['c', 'a', 'b'].map((name, position) => sampleTool(server.id, name, position));
        await store.transaction(async (tx) => {
          await tx.insertServer(server);
          await tx.putTools(tools.toReversed());
        });
        expect((await everything(store))[0]?.tools).toEqual(tools);
        expect(await store.transaction((tx) => tx.tools(server.id))).toEqual(tools);
      });

      it('are replaced by id, and keep when they were made', async () => {
        const server = sampleServer('one');
        const tool = sampleTool(server.id, 'a');
        const changed: StoredTool = {
          ...tool,
          position: 4,
          definition: { name: 'a', description: 'new' },
          grade: { status: 'INVALID', reasons: [{ rule: 'r', pointer: '', message: 'm' }] },
          providers: { openai: { verdict: 'ok' } },
          tags: [],
          switchedOff: true,
          contractHash: 'other',
          quarantine: {
            since: AT,
            accepted: { contractHash: 'hash', definition: tool.definition },
            changes: [
              { kind: 'instruction', code: 'text-changed', pointer: '/description', sentence: 'It says more.' },
            ],
          },
          updatedAt: '2027-01-01T00:00:00.000Z',
        };
        await store.transaction(async (tx) => {
          await tx.insertServer(server);
          await tx.putTools([tool]);
        });
        await store.transaction((tx) => tx.putTools([changed]));
        expect((await everything(store))[0]?.tools).toEqual([changed]);
      });

      it('of one name live beside each other on two servers, never on one', async () => {
        const [one, two] = [sampleServer('one'), sampleServer('two')];
        await store.transaction(async (tx) => {
          await tx.insertServer(one);
          await tx.insertServer(two);
          await tx.putTools([sampleTool(one.id, 'same'), sampleTool(two.id, 'same')]);
        });
        const twice = store.transaction((tx) => tx.putTools([sampleTool(one.id, 'same')]));
        await expect(twice).rejects.toMatchObject({ code: 'CONFLICT' });
      });

      it('are stored by the hundreds, and deleted by id of their own server only', async () => {
        const [one, two] = [sampleServer('one'), sampleServer('two')];
        const many = Array.from({ length: 450 }, (_, index) => sampleTool(one.id, `t${index}`, index));
        const other = sampleTool(two.id, 'other');
        await store.transaction(async (tx) => {
          await tx.insertServer(one);
          await tx.insertServer(two);
          await tx.putTools([...many, other]);
        });
        const ids: ToolId[] = many.slice(0, 430).map((tool) => tool.id);
        await store.transaction((tx) => tx.deleteTools(one.id, [...ids, other.id]));
        const left = (await everything(store)).flatMap((entry) => entry.tools);
        expect(left).toHaveLength(21);
        expect(left).toContainEqual(other);
      });
    });

    describe('a transaction', () => {
      it('leaves nothing behind when it fails', async () => {
        const server = sampleServer('one');
        const version = await store.version();
        const failing = store.transaction(async (tx) => {
          await tx.insertServer(server);
          await tx.putTools([sampleTool(server.id, 'a')]);
          await tx.markSync(server.id, AT);
          throw new TypeError('planted');
        });
        await expect(failing).rejects.toMatchObject({ code: 'INTERNAL' });
        expect(await store.changesSince(0)).toEqual({ version, serverIds: [], changed: [], toolsets: [] });
        expect(await store.interruptedSyncs()).toEqual([]);
      });

      it('deletes a server with all that is about it, and nothing else', async () => {
        const [gone, kept] = [sampleServer('gone'), sampleServer('kept')];
        const keptTool = sampleTool(kept.id, 'a');
        await store.transaction(async (tx) => {
          await tx.insertServer(gone);
          await tx.insertServer(kept);
          await tx.putTools([sampleTool(gone.id, 'a'), keptTool]);
          await tx.markSync(gone.id, AT);
          await tx.markSync(kept.id, AT);
        });
        await store.transaction((tx) => tx.deleteServer(gone.id));
        const { serverIds, changed } = await store.changesSince(0);
        expect(serverIds).toEqual([kept.id]);
        expect(changed.flatMap((entry) => entry.tools)).toEqual([keptTool]);
        expect(await store.interruptedSyncs()).toEqual([kept.id]);
      });

      it('waits its turn: writers of two connections lose nothing', async () => {
        const other = await subject.open(box);
        try {
          const servers = Array.from({ length: 20 }, (_, index) => sampleServer(`s${index}`));
          const writes = servers.map((server, index) => insert(index % 2 === 0 ? store : other, server));
          await Promise.all(writes);
          const { version, serverIds } = await store.changesSince(0);
          expect(serverIds.toSorted()).toEqual(servers.map((server) => server.id).toSorted());
          expect(version).toBe(20);
        } finally {
          await other.close();
        }
      });
    });

    describe('versions', () => {
      it('grow with each change and tell what changed, to other processes too', async () => {
        const other = await subject.open(box);
        try {
          const [one, two] = [sampleServer('one'), sampleServer('two')];
          await insert(store, one);
          await insert(store, two);
          const seen = await other.version();
          expect(seen).toBe(2);
          await store.transaction((tx) => tx.putTools([sampleTool(two.id, 'a')]));
          const changes = await other.changesSince(seen);
          expect(changes.version).toBe(3);
          expect(changes.changed.map((entry) => entry.server.server.id)).toEqual([two.id]);
          expect(changes.changed[0]?.tools).toHaveLength(1);
          expect(changes.serverIds.toSorted()).toEqual([one.id, two.id].toSorted());
          await store.transaction((tx) => tx.deleteServer(one.id));
          expect(await other.changesSince(3)).toEqual({ version: 4, serverIds: [two.id], changed: [], toolsets: [] });
        } finally {
          await other.close();
        }
      });

      it('stay when a transaction changes nothing, or only marks a sync', async () => {
        const server = sampleServer('one');
        await insert(store, server);
        const version = await store.version();
        await store.transaction((tx) => tx.markSync(server.id, AT));
        await store.transaction((tx) => tx.markSync(server.id, AT));
        expect(await store.interruptedSyncs()).toEqual([server.id]);
        await store.transaction((tx) => tx.clearSyncMark(server.id));
        await store.transaction((tx) => tx.deleteTools(server.id, []));
        expect(await store.interruptedSyncs()).toEqual([]);
        expect(await store.version()).toBe(version);
      });
    });

    describeToolsetStore(() => store);
    describeAccessStore(() => store);
    describeHealthServiceStore(() => store);
    describeAuditStore(
      () => store,
      (statement) => subject.tamper(statement),
    );
    describeOAuthStore({
      store: () => store,
      dump: () => subject.dump(),
      serverAt: (server_url) => sampleServer('tools', { mcp_server_type: 'streamable_http', server_url }),
    });

    describe('secrets', () => {
      const secretive = () =>
        sampleServer('secretive', {
          mcp_server_type: 'sse',
          server_url: 'https://example.com/sse?token=SECRET-parameter',
          auth_token: 'SECRET-token',
          custom_headers: { 'X-Key': 'SECRET-header' },
          variables: { TOKEN: 'SECRET-variable' },
        });
      const withEnv = () =>
        sampleServer('with env', {
          mcp_server_type: 'stdio',
          command: 'x',
          args: ['--token', 'SECRET-argument'],
          env: { KEY: 'SECRET-env' },
        });

      it('are nowhere in the database in clear', async () => {
        await insert(store, secretive());
        await insert(store, withEnv());
        const text = await subject.dump();
        expect(text).toContain('X-Key');
        expect(text).not.toContain('SECRET');
      });

      it('that a foreign key sealed are missing, and nothing else is', async () => {
        const foreign = secretive();
        await insert(store, foreign);
        const other = await subject.open(createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(8) }));
        try {
          await insert(other, withEnv());
          const entries = await everything(other);
          const [lost, kept] = ['secretive', 'with env'].map(
            (name) => entries.find((entry) => entry.server.server.server_name === name)?.server,
          );
          expect(kept?.unreadable).toBeUndefined();
          expect(kept && opened(kept.server).config).toMatchObject({
            args: ['--token', 'SECRET-argument'],
            env: { KEY: 'SECRET-env' },
          });
          expect(lost?.unreadable).toMatchObject({
            code: 'SECRET_UNREADABLE',
            details: {
              server: 'secretive',
              secrets: ['server_url', 'auth_token', 'custom_headers.X-Key', 'variables.TOKEN'],
            },
          });
          expect(lost?.unreadable?.message).toContain('secretive');
          expect(lost?.server.config).toEqual({
            mcp_server_type: 'sse',
            server_url: 'https://example.com/sse?token=••••eter',
          });
        } finally {
          await other.close();
        }
      });

      it('survive changes by a process that cannot read them', async () => {
        const server = secretive();
        await insert(store, server);
        const other = await subject.open(createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(8) }));
        try {
          await other.transaction((tx) => tx.updateServer(server.id, { name: 'renamed', enabled: false }));
        } finally {
          await other.close();
        }
        const [entry] = await everything(store);
        expect(entry?.server.unreadable).toBeUndefined();
        expect(entry && opened(entry.server.server)).toMatchObject({
          server_name: 'renamed',
          config: opened(server).config,
        });
      });

      it('moved from one server to another do not open', async () => {
        const [one, two] = [secretive(), { ...secretive(), server_name: 'thief' }];
        await insert(store, one);
        await insert(store, two);
        await subject.tamper(
          `update mcp_servers set secrets = (select secrets from mcp_servers where name = 'secretive') where name = 'thief'`,
        );
        const byName = new Map((await everything(store)).map(({ server }) => [server.server.server_name, server]));
        expect(byName.get('thief')?.unreadable?.code).toBe('SECRET_UNREADABLE');
        expect(byName.get('secretive')?.unreadable).toBeUndefined();
      });
    });

    describe('the schema', () => {
      it('of a newer program is refused and left alone', async () => {
        await insert(store, sampleServer('kept'));
        await store.close();
        await subject.tamper(`update store_meta set value = 999 where key = 'schema_version'`);
        await expect(subject.open(box)).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
        await subject.tamper(`update store_meta set value = ${migrations.length} where key = 'schema_version'`);
        store = await subject.open(box);
        expect(await everything(store)).toHaveLength(1);
      });

      it('of an older program is brought forward, and nothing is lost', async () => {
        const server = sampleServer('kept');
        await store.transaction(async (tx) => {
          await tx.insertServer(server);
          await tx.putTools([sampleTool(server.id, 'a')]);
        });
        await store.close();
        await subject.tamper(
          `drop table toolsets; drop table audit_log; drop table oauth_sessions; drop table oauth_credentials;
           drop table oauth_clients; drop table api_keys; drop table agents; drop table health_services; alter table mcp_tools drop column quarantine;
           update store_meta set value = 1 where key = 'schema_version'`,
        );
        store = await subject.open(box);
        expect(await everything(store)).toMatchObject([{ tools: [{ upstreamName: 'a', quarantine: undefined }] }]);
        expect(await store.audit.read()).toEqual([]);
      });

      it('of another program is refused', async () => {
        await store.close();
        await subject.tamper('drop table store_meta');
        await expect(subject.open(box)).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
      });

      it('is made once when many open an empty database at the same time', async () => {
        const fresh = await start();
        try {
          const stores = await Promise.all([fresh.open(box), fresh.open(box), fresh.open(box)]);
          expect(await Promise.all(stores.map((each) => each.version()))).toEqual([0, 0, 0]);
          await Promise.all(stores.map((each) => each.close()));
        } finally {
          await fresh.dispose();
        }
      });
    });

    it('can be closed twice, and says so when it is used afterwards', async () => {
      await store.close();
      await store.close();
      await expect(store.version()).rejects.toMatchObject({ name: 'PlugboardError' });
    });
  });
};
