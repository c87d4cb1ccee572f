import { moveRows, type MovedRows, type OnTable } from './move-rows.js';
import { openPostgresEngine } from './postgres-store.js';
import { bringUpToDate, type SqlEngine } from './sql-store.js';
import { openSqliteEngine } from './sqlite-store.js';
import { toStoreError } from './store-error.js';

export interface MoveStoreOptions {
  /** The file of the embedded store. */
  readonly file: string;
  /** The Postgres database that takes everything. */
  readonly url: string;
  readonly onTable?: OnTable | undefined;
}

/**
 * Copies everything of an embedded store into an empty Postgres database, in one transaction: all of it arrives, compared
 * row by row, or nothing. Secrets stay sealed as they are; the hub on the new store needs the same master key.
 */
export const moveStore = async ({ file, url, onTable }: MoveStoreOptions): Promise<MovedRows> => {
  const engines: SqlEngine[] = [];
  try {
    const from = await openSqliteEngine({ file });
    engines.push(from);
    const to = await openPostgresEngine({ url });
    engines.push(to);
    await bringUpToDate(from);
    await bringUpToDate(to);
    return await moveRows(from, to, onTable);
  } catch (thrown) {
    throw toStoreError(thrown);
  } finally {
    for (const engine of engines) await engine.db.destroy();
  }
};
