import type { AgentId, ApiKeyId, Role, ServerId } from '@plugboard/contract';
import type { Insertable, Selectable } from 'kysely';
import { isoTime } from '../port/clock.js';
import type { KeyStore, StoredKey } from './key-store.js';
import type { SqlChangeEngine } from './sql-audit-store.js';
import type { Tables } from './tables.js';

const epoch = (time: string | null): number | null => (time === null ? null : Date.parse(time));
const time = (at: number | null): string | null => (at === null ? null : isoTime(at));

const toRow = ({ key, hash }: StoredKey): Insertable<Tables['api_keys']> => ({
  id: key.id,
  name: key.name,
  hash,
  prefix: key.prefix,
  role: key.role,
  agent_id: key.agent_id,
  server_ids: key.server_ids === null ? null : JSON.stringify(key.server_ids),
  created_at: Date.parse(key.created_at),
  expires_at: epoch(key.expires_at),
  last_used_at: epoch(key.last_used_at),
  revoked_at: epoch(key.revoked_at),
});

const fromRow = (row: Selectable<Tables['api_keys']>): StoredKey => ({
  hash: row.hash,
  key: {
    id: row.id as ApiKeyId,
    name: row.name,
    role: row.role as Role,
    agent_id: row.agent_id as AgentId | null,
    server_ids: row.server_ids === null ? null : (JSON.parse(row.server_ids) as ServerId[]),
    prefix: row.prefix,
    created_at: isoTime(row.created_at),
    expires_at: time(row.expires_at),
    last_used_at: time(row.last_used_at),
    revoked_at: time(row.revoked_at),
  },
});

export class SqlKeyStore implements KeyStore {
  readonly #engine: SqlChangeEngine;

  constructor(engine: SqlChangeEngine) {
    this.#engine = engine;
  }

  async all(): Promise<readonly StoredKey[]> {
    const query = this.#engine.db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
    return (await this.#engine.guarded(() => query.execute())).map(fromRow);
  }

  async insert(stored: StoredKey): Promise<void> {
    await this.#engine.change((db) => db.insertInto('api_keys').values(toRow(stored)).execute());
  }

  revoke(id: ApiKeyId, at: string): Promise<boolean> {
    return this.#engine.change(async (db) => {
      const row = await db.selectFrom('api_keys').select('revoked_at').where('id', '=', id).executeTakeFirst();
      if (row === undefined) return false;
      if (row.revoked_at === null) {
        await db
          .updateTable('api_keys')
          .set({ revoked_at: Date.parse(at) })
          .where('id', '=', id)
          .execute();
      }
      return true;
    });
  }

  async noteUse(id: ApiKeyId, at: string): Promise<void> {
    await this.#engine.write((db) =>
      db
        .updateTable('api_keys')
        .set({ last_used_at: Date.parse(at) })
        .where('id', '=', id)
        .execute(),
    );
  }

  deleteEnded(at: string): Promise<number> {
    return this.#engine.change(async (db) => {
      const { numDeletedRows } = await db
        .deleteFrom('api_keys')
        .where((row) => row.or([row('revoked_at', 'is not', null), row('expires_at', '<=', Date.parse(at))]))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    });
  }
}
