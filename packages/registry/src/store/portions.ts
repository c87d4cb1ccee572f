import { type Kysely, sql } from 'kysely';
import { MOVED_TABLES, type MovedTable } from './moved-tables.js';
import type { Row } from './row-digest.js';
import type { Tables } from './tables.js';

/** One table of many: the types of its columns do not matter to a copy. */
export type AnyTable = Kysely<Record<string, Record<string, unknown>>>;

/** What is read, written and committed together: at least one row. */
export interface PortionBounds {
  readonly rows: number;
  readonly bytes: number;
}

const BOUNDS: PortionBounds = { rows: 1000, bytes: 16 * 1024 * 1024 };

/** The rows after one row, by the key of the table. */
const rowsAfter = (db: Kysely<Tables>, table: MovedTable, last: Row | undefined) => {
  const keys: readonly string[] = MOVED_TABLES[table];
  let query = (db as unknown as AnyTable).selectFrom(table);
  for (const key of keys) query = query.orderBy(key);
  if (last === undefined) return query;
  return query.where((build) => {
    const [first = '', second] = keys;
    return second === undefined
      ? build.eb(first, '>', last[first])
      : build.eb(build.refTuple(first, second), '>', build.tuple(last[first], last[second]));
  });
};

/** How many of the next rows fit into a portion, from their sizes. */
const fitting = (sizes: readonly number[], bytes: number): number => {
  let room = bytes;
  const tooMany = sizes.findIndex((size, index) => {
    room -= size;
    return room < 0 && index > 0;
  });
  return tooMany === -1 ? sizes.length : tooMany;
};

/** The rows of a table by its key, in portions that fit into memory. */
export async function* portionsOf(
  db: Kysely<Tables>,
  table: MovedTable,
  bounds: PortionBounds = BOUNDS,
): AsyncGenerator<readonly Row[]> {
  const [first] = await rowsAfter(db, table, undefined).selectAll().limit(1).execute();
  if (first === undefined) return;
  // Measured without reading them into memory, and in bytes: the length in characters ends at a NUL.
  const sizes = Object.keys(first).map((column) => sql`coalesce(octet_length(cast(${sql.ref(column)} as text)), 0)`);
  const size = sql<number>`${sql.join(sizes, sql` + `)}`.as('size');
  let last: Row | undefined;
  for (;;) {
    const next = await rowsAfter(db, table, last).select(size).limit(bounds.rows).execute();
    const count = fitting(
      next.map((row) => row.size),
      bounds.bytes,
    );
    if (count === 0) return;
    const rows = await rowsAfter(db, table, last).selectAll().limit(count).execute();
    yield rows;
    last = rows.at(-1);
  }
}
