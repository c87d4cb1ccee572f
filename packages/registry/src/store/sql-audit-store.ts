import type { AuditEntry, AuditId, AuditQuery } from '@plugboard/contract';
import { CompiledQuery, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely';
import { isoTime } from '../port/clock.js';
import { ROWS_PER_STATEMENT } from './chunks.js';
import type { AuditStore } from './store.js';
import type { Tables } from './tables.js';

const DEFAULT_PAGE = 100;
/** How many rows a statement may have: few sizes, so that each is written down once. */
const PORTIONS = [ROWS_PER_STATEMENT, 50, 10, 3, 1] as const;

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
  /** The statement for a number of rows: making it takes longer than running it. */
  readonly #statements = new Map<number, string>();

  constructor(engine: SqlAuditEngine) {
    this.#engine = engine;
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#engine.write(async (db) => {
      let at = 0;
      for (const size of PORTIONS) {
        for (; entries.length - at >= size; at += size) await this.#insert(db, entries.slice(at, at + size));
      }
    });
  }

  async #insert(db: Transaction<Tables>, entries: readonly AuditEntry[]): Promise<void> {
    const rows = entries.map(toRow);
    const known = this.#statements.get(rows.length);
    const statement = known ?? db.insertInto('audit_log').values(rows).compile().sql;
    if (known === undefined) this.#statements.set(rows.length, statement);
    const values: unknown[] = [];
    for (const row of rows) values.push(...Object.values(row));
    await db.executeQuery(CompiledQuery.raw(statement, values));
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
