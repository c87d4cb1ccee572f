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

const BUILTIN = 'node:sqlite';

const loadModule = async (): Promise<SqliteModule> => {
  try {
    // a variable, because the types of the oldest Node that is supported do not know this module
    const specifier: string = BUILTIN;
    return (await import(specifier)) as SqliteModule;
  } catch {
    return import('@photostructure/sqlite');
  }
};

/** Node's own SQLite where there is one, else the package that stands in for it. */
export const openSqliteConnection = async (path: string, busyTimeoutMs: number): Promise<SqliteConnection> => {
  const { DatabaseSync } = await loadModule();
  return new DatabaseSync(path, { timeout: busyTimeoutMs });
};
