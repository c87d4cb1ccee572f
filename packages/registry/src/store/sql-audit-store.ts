import type { AuditEntry, AuditId, AuditQuery } from '@plugboard/contract';
import { CompiledQuery, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely';
import { isoTime } from '../port/clock.js';
import { chunks, ROWS_PER_STATEMENT } from './chunks.js';
import type { AuditStore } from './store.js';
import type { Tables } from './tables.js';

const DEFAULT_PAGE = 100;

const toRow = (entry: AuditEntry): Insertable<Tables['audit_log']> => ({
  id: entry.id,
  at: Date.parse(entry.at),
  kind: entry.kind,
  actor: entry.actor,
  action: entry.action,
  target: entry.target,
  outcome: entry.outcome,
  duration_ms: Math.round(entry.duration_ms),
  details: JSON.stringify(entry.details),
});

const fromRow = (row: Selectable<Tables['audit_log']>): AuditEntry => ({
  id: row.id as AuditId,
  at: isoTime(row.at),
  kind: row.kind as AuditEntry['kind'],
  actor: row.actor,
  action: row.action,
  target: row.target,
  outcome: row.outcome,
  duration_ms: row.duration_ms,
  details: JSON.parse(row.details) as AuditEntry['details'],
});

export interface SqlAuditEngine {
  readonly db: Kysely<Tables>;
  /** Runs the work while nobody else writes. */
  readonly write: <Result>(work: (db: Transaction<Tables>) => Promise<Result>) => Promise<Result>;
  /** Turns what an engine throws into what a store throws. */
  readonly guarded: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export class SqlAuditStore implements AuditStore {
  readonly #engine: SqlAuditEngine;
  /** The statement for a whole portion of rows: making it takes longer than running it. */
  #wholePortion: string | undefined;

  constructor(engine: SqlAuditEngine) {
    this.#engine = engine;
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#engine.write(async (db) => {
      for (const part of chunks(entries)) await this.#insert(db, part.map(toRow));
    });
  }

  async #insert(db: Transaction<Tables>, rows: readonly Insertable<Tables['audit_log']>[]): Promise<void> {
    const whole = rows.length === ROWS_PER_STATEMENT;
    if (whole && this.#wholePortion !== undefined) {
      const values = rows.flatMap((row) => Object.values(row) as unknown[]);
      await db.executeQuery(CompiledQuery.raw(this.#wholePortion, values));
      return;
    }
    const insert = db.insertInto('audit_log').values(rows);
    if (whole) this.#wholePortion = insert.compile().sql;
    await insert.execute();
  }

  async read({ limit, after, kind, since }: AuditQuery = {}): Promise<readonly AuditEntry[]> {
    let query = this.#engine.db.selectFrom('audit_log').selectAll();
    if (after !== undefined) query = query.where('id', '<', after);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (since !== undefined) query = query.where('at', '>=', Date.parse(since));
    const page = query.orderBy('id', 'desc').limit(limit ?? DEFAULT_PAGE);
    return (await this.#engine.guarded(() => page.execute())).map(fromRow);
  }

  async forgetBefore(at: string): Promise<number> {
    return this.#engine.write(async (db) => {
      const { numDeletedRows } = await db
        .deleteFrom('audit_log')
        .where('at', '<', Date.parse(at))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    });
  }
}
