import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEntry, AuditId, AuditQuery } from '@plugboard/contract';
import { CompiledQuery, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely';
import { isoTime } from '../port/clock.js';
import type { AuditStore, KeptAuditEntry } from './store.js';
import type { Tables } from './tables.js';

const DEFAULT_PAGE = 100;
/** An embedded store writes on the event loop, where calls wait meanwhile: this many take a third of a millisecond. */
const ROWS_PER_TURN = 100;
/** How many rows a statement may have: few sizes, so that each is written down once. */
const PORTIONS = [ROWS_PER_TURN, 50, 10, 3, 1] as const;

/** A row to make statements of; its members are in the order of `valuesOf`. */
const EMPTY_ROW: Insertable<Tables['audit_log']> = {
  id: '',
  at: 0,
  kind: '',
  actor: '',
  action: '',
  target: '',
  outcome: '',
  duration_ms: 0,
  details: '',
};

/** The values of all rows in the order of their columns. */
const valuesOf = (entries: readonly KeptAuditEntry[]): unknown[] => {
  const values: unknown[] = [];
  for (const { id, at, kind, actor, action, target, outcome, duration_ms, details } of entries) {
    values.push(id, at, kind, actor, action, target, outcome, Math.round(duration_ms), details);
  }
  return values;
};

const COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'at', type: 'bigint' },
  { name: 'kind', type: 'text' },
  { name: 'actor', type: 'text' },
  { name: 'action', type: 'text' },
  { name: 'target', type: 'text' },
  { name: 'outcome', type: 'text' },
  { name: 'duration_ms', type: 'bigint' },
  { name: 'details', type: 'text' },
] as const;

/** Any number of rows: each column is one parameter. */
const INSERT_ARRAYS = `insert into audit_log (${COLUMNS.map(({ name }) => name).join(', ')})
  select * from unnest(${COLUMNS.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})`;

/** The values of all columns, in their order. */
const columnsOf = (entries: readonly KeptAuditEntry[]): unknown[] =>
  COLUMNS.map(({ name }) =>
    entries.map((entry) => (name === 'duration_ms' ? Math.round(entry.duration_ms) : entry[name])),
  );

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
  /** Can a parameter be a list of values? */
  readonly hasArrays: boolean;
  /** Runs the work while nobody else writes. */
  readonly write: <Result>(work: (db: Transaction<Tables>) => Promise<Result>) => Promise<Result>;
  /** Turns what an engine throws into what a store throws. */
  readonly guarded: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** For what other processes have in memory. */
export interface SqlChangeEngine extends SqlAuditEngine {
  /** Writes, and tells the other processes. */
  readonly change: SqlAuditEngine['write'];
}

export class SqlAuditStore implements AuditStore {
  readonly #engine: SqlAuditEngine;
  /** The statement for a number of rows: making it takes longer than running it. */
  readonly #statements = new Map<number, string>();

  constructor(engine: SqlAuditEngine) {
    this.#engine = engine;
  }

  async append(entries: readonly KeptAuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#engine.write(async (db) => {
      if (this.#engine.hasArrays) {
        await db.executeQuery(CompiledQuery.raw(INSERT_ARRAYS, columnsOf(entries)));
        return;
      }
      let at = 0;
      for (const size of PORTIONS) {
        for (; entries.length - at >= size; at += size) {
          await this.#insert(db, entries.slice(at, at + size));
          if (size === ROWS_PER_TURN) await nextTurn();
        }
      }
    });
  }

  async #insert(db: Transaction<Tables>, entries: readonly KeptAuditEntry[]): Promise<void> {
    await db.executeQuery(CompiledQuery.raw(this.#statementFor(db, entries.length), valuesOf(entries)));
  }

  #statementFor(db: Transaction<Tables>, count: number): string {
    const known = this.#statements.get(count);
    if (known !== undefined) return known;
    const rows = Array.from({ length: count }, () => EMPTY_ROW);
    const { sql } = db.insertInto('audit_log').values(rows).compile();
    this.#statements.set(count, sql);
    return sql;
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
