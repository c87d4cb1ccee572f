import { type Kysely, sql } from 'kysely';
import type { SecretBox } from '../secret/secret-box.js';
import { type KeyedAttempt, type KeyedRequestStore, type KnownAttempt, outcomePlace } from './keyed-request-store.js';
import type { SqlAuditEngine } from './sql-audit-store.js';
import type { SqlEngine } from './sql-store.js';
import type { Tables } from './tables.js';

type AttemptKey = Pick<KeyedAttempt, 'id' | 'attempt'>;

/** A row that was there may be gone when it is read: then the attempt may be the first after all. */
const LOOKS = 3;

/** A request with a key must not wait for the writes of other replicas. */
export class SqlKeyedRequestStore implements KeyedRequestStore {
  readonly #engine: Pick<SqlEngine, 'now' | 'locksRows'>;
  readonly #parts: SqlAuditEngine;
  readonly #box: SecretBox;

  constructor(engine: Pick<SqlEngine, 'now' | 'locksRows'>, parts: SqlAuditEngine, box: SecretBox) {
    this.#engine = engine;
    this.#parts = parts;
    this.#box = box;
  }

  begin(asked: KeyedAttempt, keepMs: number): Promise<KnownAttempt | undefined> {
    return this.#briefly(async (db) => {
      for (let look = 1; ; look += 1) {
        if (await this.#insert(db, asked, keepMs)) return undefined;
        const row = await db.selectFrom('keyed_requests').selectAll().where('id', '=', asked.id).executeTakeFirst();
        if (row !== undefined) {
          const { id, content, holder, attempt, outcome } = row;
          const opened = outcome === null ? undefined : this.#box.open(outcome, outcomePlace(id));
          return { id, content, holder, attempt, outcome: opened };
        }
        if (look === LOOKS) throw new Error('a row of keyed_requests comes and goes');
      }
    });
  }

  async settle({ id, attempt }: AttemptKey, outcome: string): Promise<void> {
    const sealed = this.#box.seal(outcome, outcomePlace(id));
    await this.#briefly((db) =>
      db
        .updateTable('keyed_requests')
        .set({ outcome: sealed })
        .where('id', '=', id)
        .where('attempt', '=', attempt)
        .execute(),
    );
  }

  async forget({ id, attempt }: AttemptKey): Promise<void> {
    await this.#briefly((db) =>
      db.deleteFrom('keyed_requests').where('id', '=', id).where('attempt', '=', attempt).execute(),
    );
  }

  async forgetOlder(keepMs: number): Promise<void> {
    await this.#briefly((db) => db.deleteFrom('keyed_requests').where('begun_at', '<', this.#before(keepMs)).execute());
  }

  async #insert(db: Kysely<Tables>, { id, ...attempt }: KeyedAttempt, keepMs: number): Promise<boolean> {
    const values = { ...attempt, begun_at: this.#engine.now(), outcome: null };
    const taken = await db
      .insertInto('keyed_requests')
      .values({ id, ...values })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(values)
          .where((row) => row('keyed_requests.begun_at', '<', this.#before(keepMs))),
      )
      .returning('id')
      .executeTakeFirst();
    return taken !== undefined;
  }

  #before(keepMs: number): ReturnType<SqlEngine['now']> {
    return sql<number>`${this.#engine.now()} - ${sql.lit(keepMs)}`;
  }

  #briefly<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    const { db, guarded, write } = this.#parts;
    return this.#engine.locksRows ? guarded(() => work(db)) : write(work);
  }
}
