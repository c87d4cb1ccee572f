type SqlValue = null | number | bigint | string | Uint8Array;

interface SqliteStatement {
  all(...parameters: readonly SqlValue[]): unknown[];
  run(...parameters: readonly SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  columns(): readonly unknown[];
}

/** The part of `node:sqlite` that the store uses. */
export interface SqliteConnection {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: { readonly timeout: number }) => SqliteConnection;
}

// From this version on it is no experiment any more; before, it prints a warning with every start.
const FIRST_MATURE_NODE = 24;

const loadModule = async (): Promise<SqliteModule> => {
  if (Number.parseInt(process.versions.node, 10) < FIRST_MATURE_NODE) return import('@photostructure/sqlite');
  // a variable, because the types of the oldest Node that is supported do not know this module
  const builtin: string = 'node:sqlite';
  return (await import(builtin)) as SqliteModule;
};

/** Node's own SQLite where it is mature, else the package that stands in for it. */
export const openSqliteConnection = async (path: string, busyTimeoutMs: number): Promise<SqliteConnection> => {
  const { DatabaseSync } = await loadModule();
  return new DatabaseSync(path, { timeout: busyTimeoutMs });
};
