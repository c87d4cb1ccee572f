import type { LimitAsk, LimitGrant } from '@plugboard/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { FleetMember, FleetStore, HeldLease, LeaseOutcome, SeenMember } from './fleet-store.js';
import { forgetLimits, lendLimits } from './lend-limits.js';
import type { SqlAuditEngine } from './sql-audit-store.js';
import type { SqlEngine } from './sql-store.js';
import type { Tables } from './tables.js';

type LeaseKey = Pick<HeldLease, 'name' | 'holder' | 'token'>;

/** A member that was not heard of for so long is forgotten. */
const FORGET_MS = 600_000;

/** Members and leases in SQL. A heartbeat of one replica must not wait for the writes of another. */
export class SqlFleetStore implements FleetStore {
  readonly #engine: Pick<SqlEngine, 'now' | 'locksRows' | 'hurry'>;
  readonly #parts: SqlAuditEngine;

  constructor(engine: Pick<SqlEngine, 'now' | 'locksRows' | 'hurry'>, parts: SqlAuditEngine) {
    this.#engine = engine;
    this.#parts = parts;
  }

  beat({ id, url, version }: FleetMember): Promise<readonly SeenMember[]> {
    return this.#briefly(async (db) => {
      const now = this.#engine.now();
      await db
        .insertInto('hub_members')
        .values({ id, url, version, seen_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ url, version, seen_at: now }))
        .execute();
      await db
        .deleteFrom('hub_members')
        .where('seen_at', '<', sql<number>`${now} - ${sql.lit(FORGET_MS)}`)
        .execute();
      await forgetLimits(db, now);
      const rows = await db
        .selectFrom('hub_members')
        .select(['id', 'url', 'version'])
        .select(sql<number>`${now} - seen_at`.as('ageMs'))
        .orderBy('id')
        .execute();
      return rows;
    });
  }

  async leave(id: string): Promise<void> {
    await this.#briefly((db) => db.deleteFrom('hub_members').where('id', '=', id).execute());
  }

  acquire(name: string, holder: string, ttlMs: number): Promise<LeaseOutcome> {
    return this.#briefly(async (db) => {
      const now = this.#engine.now();
      const until = sql<number>`${now} + ${sql.lit(ttlMs)}`;
      const taken = await db
        .insertInto('leases')
        .values({ name, holder, token: 1, until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet((row) => ({
              holder,
              // The holder itself asks again: it goes on with the token that it has.
              token: sql<number>`${row.ref('leases.token')} + case when ${row.ref('leases.holder')} = ${holder} then 0 else 1 end`,
              until,
            }))
            .where((row) => row.or([row('leases.until', '<=', now), row('leases.holder', '=', holder)])),
        )
        .returning('token')
        .executeTakeFirst();
      if (taken !== undefined) {
        return { granted: true, lease: { name, holder, token: taken.token, leftMs: ttlMs } };
      }
      const other = await db
        .selectFrom('leases')
        .select(['holder', 'token'])
        .select(sql<number>`until - ${this.#engine.now()}`.as('leftMs'))
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      const lease = { name, holder: other.holder, token: other.token, leftMs: other.leftMs };
      return { granted: false, lease };
    });
  }

  renew({ name, holder, token }: LeaseKey, ttlMs: number): Promise<HeldLease | undefined> {
    return this.#briefly(async (db) => {
      const renewed = await this.#held(
        db,
        { name, holder, token },
        sql<number>`${this.#engine.now()} + ${sql.lit(ttlMs)}`,
      );
      return renewed ? { name, holder, token, leftMs: ttlMs } : undefined;
    });
  }

  async release(lease: LeaseKey): Promise<void> {
    await this.#briefly((db) => this.#held(db, lease, sql<number>`${sql.lit(0)}`));
  }

  async sessionHolder(key: string): Promise<string | null | undefined> {
    const { db, guarded } = this.#parts;
    const query = db.selectFrom('client_sessions').select('holder').where('key', '=', key);
    return (await guarded(() => query.executeTakeFirst()))?.holder;
  }

  takeSession(key: string, { from, to }: { readonly from: string | null; readonly to: string }): Promise<boolean> {
    return this.#briefly(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('client_sessions')
        .set({ holder: to })
        .where('key', '=', key)
        .where('holder', from === null ? 'is' : '=', from)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    });
  }

  async lend(holder: string, asks: readonly LimitAsk[]): Promise<readonly LimitGrant[]> {
    const { db, guarded, write } = this.#parts;
    const work = async (transaction: Transaction<Tables>): Promise<readonly LimitGrant[]> => {
      await this.#engine.hurry?.(transaction);
      return lendLimits(transaction, this.#engine, { holder, asks });
    };
    return this.#engine.locksRows ? guarded(() => db.transaction().execute(work)) : write(work);
  }

  async #held(
    db: Kysely<Tables>,
    { name, holder, token }: LeaseKey,
    until: ReturnType<SqlEngine['now']>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('leases')
      .set({ until })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .where('token', '=', token)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  #briefly<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    const { db, guarded, write } = this.#parts;
    return this.#engine.locksRows ? guarded(() => work(db)) : write(work);
  }
}
