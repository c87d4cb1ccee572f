import { openPostgresEngine } from './postgres-store.js';
import type { SqlEngine } from './sql-store.js';
import { openSqliteEngine } from './sqlite-store.js';

/** Where a store is: the file of an embedded one, or a Postgres database. */
export type StorePlace = { readonly file: string } | { readonly url: string };

export const openEngine = (place: StorePlace): Promise<SqlEngine> =>
  'file' in place ? openSqliteEngine(place) : openPostgresEngine(place);
