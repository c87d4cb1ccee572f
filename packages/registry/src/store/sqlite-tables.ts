import { PlugboardError } from '@plugboard/contract';
import { sql, type Transaction } from 'kysely';
import { LIVE_TABLES, movedTables } from './moved-tables.js';
import type { Tables } from './tables.js';

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly virtual: number;
}

const OURS: ReadonlySet<string> = new Set(['store_meta', ...movedTables, ...LIVE_TABLES]);

const notATable = (name: string): PlugboardError =>
  new PlugboardError('STORE_INCOMPATIBLE', `${name} in the file is not a plain table. Nothing of it was read.`, {
    hint: 'Use a file that Plugboard wrote.',
  });

/** The columns that are computed while somebody reads them. */
const computedColumns = async (db: Transaction<Tables>, table: string): Promise<number> => {
  const { rows } = await sql`select 1 from pragma_table_xinfo(${table}) where hidden <> 0`.execute(db);
  return rows.length;
};

/**
 * The names of the tables in the file. A file of a stranger may have a view, a virtual table or a computed column where a
 * table of ours belongs, and reading it may never end: such a file is refused.
 */
export const sqliteTables = async (db: Transaction<Tables>): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<Entry>`
    select name, type, sql like 'create virtual%' as virtual
    from sqlite_master where type in ('table', 'view')`.execute(db);
  for (const { name, type, virtual } of rows) {
    // Names in SQL have no case.
    if (!OURS.has(name.toLowerCase())) continue;
    if (type !== 'table' || virtual === 1 || (await computedColumns(db, name)) > 0) throw notATable(name);
  }
  return new Set(rows.filter(({ type }) => type === 'table').map(({ name }) => name));
};
