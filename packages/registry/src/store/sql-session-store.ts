import type { KeptEvents, KeptSession, SessionBatch, SessionKeeping } from '@plugboard/contract';
import { sql, type Transaction } from 'kysely';
import { chunks } from './chunks.js';
import type { SqlAuditEngine } from './sql-audit-store.js';
import type { SqlEngine } from './sql-store.js';
import type { Tables } from './tables.js';

type Db = Transaction<Tables>;
type Held = Pick<KeptSession, 'key' | 'generation'>;

type Now = SqlEngine['now'];

const before = (now: Now, idleMs: number) => sql<number>`${now()} - ${sql.lit(idleMs)}`;

const writeSessions = async (db: Db, sessions: readonly KeptSession[], now: Now): Promise<void> => {
  for (const part of chunks(sessions)) {
    await db
      .insertInto('client_sessions')
      .values(
        part.map(({ key, generation, sealed, idleMs }) => ({ key, generation, sealed, used_at: before(now, idleMs) })),
      )
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((row) => ({
          generation: row.ref('excluded.generation'),
          sealed: row.ref('excluded.sealed'),
          used_at: row.ref('excluded.used_at'),
        })),
      )
      .execute();
  }
};

const forget = async (db: Db, keys: readonly string[]): Promise<void> => {
  for (const part of chunks(keys)) {
    await db.deleteFrom('client_sessions').where('key', 'in', part).execute();
    await db.deleteFrom('client_events').where('session_key', 'in', part).execute();
  }
};

/** The sessions among these that a later holder has. */
const lostOf = async (db: Db, sessions: readonly Held[]): Promise<ReadonlySet<string>> => {
  const own = new Map(sessions.map(({ key, generation }) => [key, generation]));
  const lost = new Set<string>();
  for (const part of chunks([...own.keys()])) {
    const rows = await db
      .selectFrom('client_sessions')
      .select(['key', 'generation'])
      .where('key', 'in', part)
      .execute();
    for (const { key, generation } of rows) if (generation > (own.get(key) ?? 0)) lost.add(key);
  }
  return lost;
};

export class SqlSessionStore implements SessionKeeping {
  readonly #engine: SqlAuditEngine;
  readonly #now: Now;

  /** @param now the clock of the store */
  constructor(engine: SqlAuditEngine, now: Now) {
    this.#engine = engine;
    this.#now = now;
  }

  async load(key: string) {
    const { db, guarded } = this.#engine;
    return guarded(async () => {
      const row = await db
        .selectFrom('client_sessions')
        .select(['generation', 'sealed'])
        .select(sql<number>`${this.#now()} - used_at`.as('idleMs'))
        .where('key', '=', key)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const rows = await db
        .selectFrom('client_events')
        .selectAll()
        .where('session_key', '=', key)
        .orderBy('last_event')
        .execute();
      const { generation, sealed, idleMs } = row;
      const events = rows.map((part): KeptEvents => ({ key, last: part.last_event, sealed: part.sealed }));
      return { session: { key, generation, sealed, idleMs }, events };
    });
  }

  claim(key: string, generation: number): Promise<boolean> {
    return this.#engine.write(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('client_sessions')
        .set({ generation: generation + 1 })
        .where('key', '=', key)
        .where('generation', '=', generation)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }

  save({ sessions, events, trimmed, ended }: SessionBatch): Promise<readonly string[]> {
    return this.#engine.write(async (db) => {
      const lost = await lostOf(db, [...sessions, ...ended]);
      const isOwn = ({ key }: { readonly key: string }): boolean => !lost.has(key);
      await writeSessions(db, sessions.filter(isOwn), this.#now);
      for (const part of chunks(events.filter(isOwn))) {
        const rows = part.map(({ key, last, sealed }) => ({ session_key: key, last_event: last, sealed }));
        await db.insertInto('client_events').values(rows).execute();
      }
      for (const { key, before } of trimmed.filter(isOwn)) {
        await db.deleteFrom('client_events').where('session_key', '=', key).where('last_event', '<', before).execute();
      }
      await forget(
        db,
        ended.filter(isOwn).map(({ key }) => key),
      );
      return [...lost];
    });
  }

  async forgetIdle(idleMs: number): Promise<void> {
    await this.#engine.write(async (db) => {
      const old = await db
        .selectFrom('client_sessions')
        .select('key')
        .where('used_at', '<', before(this.#now, idleMs))
        .execute();
      await forget(
        db,
        old.map(({ key }) => key),
      );
    });
  }
}
