import type { ServerId, SyncReport, ToolId } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AT,
  box,
  everything,
  insert,
  opened,
  sampleServer,
  sampleTool,
  type StoreUnderTest,
} from '../test-support/store-samples.js';
import { describeAccessStore } from './access-store.contract.js';
import { describeAuditStore } from './audit-store.contract.js';
import { describeFleetStore } from './fleet-store.contract.js';
import { describeKeyedRequestStore } from './keyed-request-store.contract.js';
import { describeHealthServiceStore } from './health-service-store.contract.js';
import { describeRunStore } from './run-store.contract.js';
import { describeMonitorStore } from './monitor-store.contract.js';
import { describeLogStore } from './log-store.contract.js';
import { describeOAuthStore } from './oauth-store.contract.js';
import { describeSessionStore } from './session-store.contract.js';
import { describeStoreSchema } from './store-schema.contract.js';
import { describeStoreSecrets } from './store-secrets.contract.js';
import type { Store, StoredTool } from './store.js';
import { describeToolsetStore } from './toolset-store.contract.js';

const report: SyncReport = {
  status: 'ok',
  added: ['a'],
  updated: [],
  deleted: [],
  skipped: [],
  repaired: [],
  failed: [],
  total: 1,
  dry_run: false,
  at: AT,
};

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
          expect(serverIds?.toSorted()).toEqual(servers.map((server) => server.id).toSorted());
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
          expect(changes.serverIds?.toSorted()).toEqual([one.id, two.id].toSorted());
          await store.transaction((tx) => tx.deleteServer(one.id));
          expect(await other.changesSince(3)).toEqual({ version: 4, serverIds: [two.id], changed: [], toolsets: [] });
          const knew = (...ids: readonly ServerId[]) => other.changesSince(3, new Set(ids));
          expect((await knew(one.id, two.id)).serverIds).toEqual([two.id]);
          expect((await knew(two.id)).serverIds).toBeUndefined();
          await insert(store, sampleServer('three'));
          // One went and one came: their number alone would not tell.
          expect((await knew(one.id, two.id)).serverIds).toHaveLength(2);
          expect((await knew(two.id)).serverIds).toBeUndefined();
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
    describeMonitorStore(() => store);
    describeRunStore(() => store);
    describeLogStore(() => store);
    describeSessionStore(() => store);
    describeFleetStore(() => store);
    describeKeyedRequestStore(() => ({ subject, store }));
    describeAuditStore(
      () => store,
      (statement) => subject.tamper(statement),
    );
    describeOAuthStore({
      store: () => store,
      dump: () => subject.dump(),
      serverAt: (server_url) => sampleServer('tools', { mcp_server_type: 'streamable_http', server_url }),
    });

    describeStoreSecrets(() => ({ subject, store }));
    describeStoreSchema(() => ({ subject, store }), start);

    it('can be closed twice, and says so when it is used afterwards', async () => {
      await store.close();
      await store.close();
      await expect(store.version()).rejects.toMatchObject({ name: 'PlugboardError' });
    });
  });
};
