import { PlugboardError } from '@plugboard/contract';
import type { Kysely, Transaction } from 'kysely';
import { chunks } from './chunks.js';
import { COMPATIBLE_SINCE } from './migrate.js';
import { type MovedTable, movedTables } from './moved-tables.js';
import { type AnyTable, portionsOf } from './portions.js';
import { type Row, RowDigest } from './row-digest.js';
import type { SqlEngine } from './sql-store.js';
import { storableText } from './storable-text.js';
import type { Tables } from './tables.js';
import { clearUnfinished, isUnfinished, markUnfinished, UNFINISHED_COPY } from './unfinished-copy.js';

/** How many rows each table had. */
export type MovedRows = Readonly<Record<string, number>>;

export interface MoveOptions {
  readonly onTable?: ((table: string, rows: number) => void) | undefined;
  /** Stops between two portions; the same move continues later. */
  readonly signal?: AbortSignal | undefined;
  /** Before the first row is written, once the target was found to be empty; also when a copy continues. */
  readonly onBegin?: (() => Promise<void>) | undefined;
}

const NOT_COUNTERS = ['schema_version', COMPATIBLE_SINCE, UNFINISHED_COPY];

const storable = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? storableText(value) : value]),
  );

const insert = (to: SqlEngine, table: MovedTable, rows: readonly Row[]): Promise<void> =>
  to.db.transaction().execute(async (target) => {
    await to.lockForWriting(target);
    for (const part of chunks(rows)) {
      await (target as unknown as AnyTable)
        .insertInto(table)
        .values([...part])
        .execute();
    }
  });

const assertWanted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted !== true) return;
  throw new PlugboardError('CANCELLED', 'The copy was interrupted.', { hint: 'Run it again.' });
};

const countOf = async (db: Kysely<Tables>, table: MovedTable): Promise<number> => {
  const { count } = await (db as unknown as AnyTable)
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

const notTheSame = (table: MovedTable): PlugboardError =>
  new PlugboardError('CONFLICT', `The rows of ${table} in the target differ from those in the source.`, {
    hint: 'Empty the target and start again. The source must not change between two attempts.',
  });

/** Copies what the target lacks of a table, then compares all of it. */
const copyTable = async (
  source: Kysely<Tables>,
  to: SqlEngine,
  table: MovedTable,
  { signal }: MoveOptions,
): Promise<number> => {
  const [sent, arrived] = [new RowDigest(), new RowDigest()];
  const present = await countOf(to.db, table);
  for await (const portion of portionsOf(source, table)) {
    assertWanted(signal);
    const rows = portion.map(storable);
    const missing = rows.slice(Math.max(0, present - sent.count));
    for (const row of rows) sent.add(row);
    if (missing.length > 0) await insert(to, table, missing);
  }
  for await (const rows of portionsOf(to.db, table)) {
    assertWanted(signal);
    for (const row of rows) arrived.add(row);
  }
  if (!arrived.equals(sent)) throw notTheSame(table);
  return sent.count;
};

/** Counters of the store, such as the version of the catalogue; the version of the schema is the target's own. */
const copyCounters = async (source: Kysely<Tables>, target: Transaction<Tables>): Promise<void> => {
  const rows = await source.selectFrom('store_meta').selectAll().where('key', 'not in', NOT_COUNTERS).execute();
  for (const { key, value } of rows) {
    await target
      .insertInto('store_meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }
};

/** Begins the copy, or continues one that was interrupted. */
const begin = (to: SqlEngine, { onBegin }: MoveOptions): Promise<void> =>
  to.db.transaction().execute(async (target) => {
    await to.lockForWriting(target);
    if (await isUnfinished(target)) {
      await onBegin?.();
      return;
    }
    for (const table of movedTables) {
      if ((await countOf(target, table)) === 0) continue;
      throw new PlugboardError('CONFLICT', `The target is not empty: ${table} has rows. Nothing was copied.`, {
        hint: 'Give an empty database, or empty this one.',
      });
    }
    await onBegin?.();
    await markUnfinished(target);
  });

/**
 * Copies every row into an empty target and verifies the copy. The source is read as it was at one moment, even if others
 * write to it meanwhile. Until everything is verified, the target is marked as unfinished and no hub opens it.
 */
export const moveRows = async (from: SqlEngine, to: SqlEngine, options: MoveOptions = {}): Promise<MovedRows> => {
  const moved: Record<string, number> = {};
  const reading = from.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  await reading.execute(async (source) => {
    await begin(to, options);
    for (const table of movedTables) {
      moved[table] = await copyTable(source, to, table, options);
      options.onTable?.(table, moved[table]);
    }
    await to.db.transaction().execute(async (target) => {
      await to.lockForWriting(target);
      await copyCounters(source, target);
      await clearUnfinished(target);
    });
  });
  await to.flush();
  return moved;
};
