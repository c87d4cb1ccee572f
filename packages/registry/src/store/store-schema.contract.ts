import { describe, expect, it } from 'vitest';
import { migrations } from './migrations.js';
import type { Store } from './store.js';
import {
  box,
  everything,
  insert,
  type OpenStore,
  sampleServer,
  sampleTool,
  type StoreUnderTest,
} from '../test-support/store-samples.js';

/** What is found when the database is opened again. */
const reading = async <Found>(subject: StoreUnderTest, read: (store: Store) => Promise<Found>): Promise<Found> => {
  const store = await subject.open(box);
  try {
    return await read(store);
  } finally {
    await store.close();
  }
};

/** Which databases are opened, and what is done to those of other versions. */
export const describeStoreSchema = (current: () => OpenStore, start: () => Promise<StoreUnderTest>): void => {
  describe('the schema', () => {
    it('of a newer program that only added to it is used as it is, beside that program', async () => {
      const { subject, store } = current();
      await insert(store, sampleServer('old'));
      await subject.tamper(
        `create table of_the_future (id text primary key); alter table mcp_servers add column of_the_future text;
         update store_meta set value = ${migrations.length + 1} where key = 'schema_version'`,
      );
      const both = await reading(subject, async (reopened) => {
        await insert(reopened, sampleServer('new'));
        return everything(reopened);
      });
      expect(both.map(({ server }) => server.server.server_name).toSorted()).toEqual(['new', 'old']);
      // The one that has it open since before the upgrade sees the same.
      expect(await everything(store)).toHaveLength(2);
    });

    it('of a newer program that changed more is refused and left alone', async () => {
      const { subject, store } = current();
      await insert(store, sampleServer('kept'));
      await store.close();
      await subject.tamper(`update store_meta set value = 999 where key in ('schema_version', 'compatible_since')`);
      await expect(subject.open(box)).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
      await subject.tamper(
        `update store_meta set value = ${migrations.length} where key in ('schema_version', 'compatible_since')`,
      );
      const kept = await reading(subject, everything);
      expect(kept).toHaveLength(1);
    });

    it('of an older program is brought forward, and nothing is lost', async () => {
      const { subject, store } = current();
      const server = sampleServer('kept');
      await store.transaction(async (tx) => {
        await tx.insertServer(server);
        await tx.putTools([sampleTool(server.id, 'a')]);
      });
      await store.close();
      await subject.tamper(
        `drop table toolsets; drop table audit_log; drop table oauth_sessions; drop table oauth_credentials;
         drop table oauth_clients; drop table api_keys; drop table agents; drop table health_services; drop table server_logs; drop table client_sessions;
         drop table client_events; drop table monitor_samples; drop table hub_members; drop table leases; drop table limit_buckets; drop table limit_places; drop table check_runs; drop table bench_runs; drop table keyed_requests; drop index mcp_servers_by_revision; alter table mcp_tools drop column quarantine;
         alter table mcp_tools drop column absent_since; alter table mcp_tools drop column normalised;
         update store_meta set value = 1 where key = 'schema_version'`,
      );
      const [kept, audited] = await reading(subject, async (reopened) => [
        await everything(reopened),
        await reopened.audit.read(),
      ]);
      expect(kept).toMatchObject([{ tools: [{ upstreamName: 'a', quarantine: undefined }] }]);
      expect(audited).toEqual([]);
    });

    it('of another program is refused', async () => {
      const { subject, store } = current();
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
};
