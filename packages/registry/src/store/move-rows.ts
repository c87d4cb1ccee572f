import { createHash } from 'node:crypto';
import { PlugboardError } from '@plugboard/contract';
import type { Kysely, Transaction } from 'kysely';
import type { SqlEngine } from './sql-store.js';
import type { Tables } from './tables.js';

export type OnTable = (table: string, rows: number) => void;

/** How many rows each table had. */
export type MovedRows = Readonly<Record<string, number>>;

/** Whatever refers to a row comes after it. */
const MOVED = [
  'mcp_servers',
  'mcp_tools',
  'sync_marks',
  'toolsets',
  'agents',
  'api_keys',
  'oauth_sessions',
  'oauth_credentials',
  'oauth_clients',
  'health_services',
  'audit_log',
  'server_logs',
  'client_sessions',
  'client_events',
] as const satisfies readonly (keyof Tables)[];

// Every table is moved: a new one that is forgotten here does not compile.
type Forgotten = Exclude<keyof Tables, (typeof MOVED)[number] | 'store_meta'>;
const nothingIsForgotten: [Forgotten] extends [never] ? true : never = true;
void nothingIsForgotten;

const ROWS_AT_ONCE = 200;

type Row = Readonly<Record<string, unknown>>;
/** One table of many: the types of its columns do not matter to a copy. */
type AnyTable = Kysely<Record<string, Record<string, unknown>>>;

const rowsOf = (db: Kysely<Tables>, table: string): Promise<readonly Row[]> =>
  (db as unknown as AnyTable).selectFrom(table).selectAll().execute();

const insert = async (db: Transaction<Tables>, table: string, rows: readonly Row[]): Promise<void> => {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const part = rows.slice(start, start + ROWS_AT_ONCE);
    await (db as unknown as AnyTable)
      .insertInto(table)
      .values([...part])
      .execute();
  }
};

/** The same for the same rows, in whatever order an engine gives them. */
const digestOf = (rows: readonly Row[]): string => {
  const texts = rows.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
  return createHash('sha256').update(texts.sort().join('\n')).digest('hex');
};

const refuseUnlessEmpty = async (db: Transaction<Tables>): Promise<void> => {
  for (const table of MOVED) {
    if ((await rowsOf(db, table)).length === 0) continue;
    throw new PlugboardError('CONFLICT', `The target is not empty: ${table} has rows. Nothing was moved.`, {
      hint: 'Give an empty database, or empty this one.',
    });
  }
};

const copyTable = async (
  source: Kysely<Tables>,
  target: Transaction<Tables>,
  table: (typeof MOVED)[number],
): Promise<number> => {
  const rows = await rowsOf(source, table);
  await insert(target, table, rows);
  const arrived = await rowsOf(target, table);
  if (arrived.length === rows.length && digestOf(arrived) === digestOf(rows)) return rows.length;
  throw new PlugboardError('INTERNAL', `The rows of ${table} were not copied correctly. Nothing was moved.`);
};

/** Counters of the store, such as the version of the catalogue; the version of the schema is the target's own. */
const copyCounters = async (source: Kysely<Tables>, target: Transaction<Tables>): Promise<void> => {
  const rows = await source.selectFrom('store_meta').selectAll().where('key', '!=', 'schema_version').execute();
  for (const { key, value } of rows) {
    await target
      .insertInto('store_meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }
};

/** Copies every row into a target that is empty, in one transaction, and compares what arrived. */
export const moveRows = async (from: SqlEngine, to: SqlEngine, onTable?: OnTable): Promise<MovedRows> => {
  const moved: Record<string, number> = {};
  await from.db.transaction().execute((source) =>
    to.db.transaction().execute(async (target) => {
      await to.lockForWriting(target);
      await refuseUnlessEmpty(target);
      for (const table of MOVED) {
        moved[table] = await copyTable(source, target, table);
        onTable?.(table, moved[table]);
      }
      await copyCounters(source, target);
    }),
  );
  return moved;
};
