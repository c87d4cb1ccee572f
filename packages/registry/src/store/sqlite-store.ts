import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { SecretBox } from '../secret/secret-box.js';
import type { Siblings } from './siblings.js';
import { openSqlStore, type SqlEngine } from './sql-store.js';
import { openSqliteConnection, type SqliteConnection } from './sqlite-binding.js';
import { ImmediateSqliteDialect, whenFree } from './sqlite-dialect.js';
import { sqliteTables } from './sqlite-tables.js';
import { toStoreError } from './store-error.js';
import type { Store } from './store.js';
import type { Tables } from './tables.js';
import { WriteAheadFlush } from './write-ahead-flush.js';

export interface SqliteStoreOptions {
  /** One file, made when it is missing; SQLite keeps two more beside it while the store is open. */
  readonly file: string;
  readonly secretBox: SecretBox;
  /** How long a write waits for another process. */
  readonly busyTimeoutMs?: number | undefined;
  /** Processes that learn of changes at once. Others find them when they look. */
  readonly siblings?: Siblings | undefined;
}

const OWNER_ONLY = 0o600;

/** Makes the file before SQLite would, so that it and its companions are never readable by others. */
const prepareFile = async (path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', OWNER_ONLY);
  await file.close();
  await chmod(path, OWNER_ONLY);
};

const connect = async (path: string, busyTimeoutMs: number): Promise<SqliteConnection> => {
  await prepareFile(path);
  const connection = await openSqliteConnection(path, busyTimeoutMs);
  try {
    // Processes that open a new file at once meet at this lock, and SQLite fails there whatever the busy timeout.
    await whenFree(() => connection.exec('pragma journal_mode = wal'), busyTimeoutMs);
    // NORMAL: a commit does not wait for the disk. `WriteAheadFlush` does, before a write is acknowledged.
    connection.exec('pragma synchronous = normal; pragma foreign_keys = on;');
    return connection;
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
};

/** Moves what was written ahead into the file, as far as that is possible without waiting for another process. */
const tidy = (connection: SqliteConnection): void => {
  try {
    connection.exec('pragma wal_checkpoint(passive)');
  } catch {
    // nothing is lost: the next start reads it from the write-ahead log
  }
};

/** The engine behind the embedded store: one crash-safe file that several processes may use at once. */
export const openSqliteEngine = async (options: Omit<SqliteStoreOptions, 'secretBox'>): Promise<SqlEngine> => {
  const busyTimeoutMs = options.busyTimeoutMs ?? 5000;
  const { siblings } = options;
  const connection = await connect(options.file, busyTimeoutMs).catch((thrown: unknown) => {
    throw toStoreError(thrown);
  });
  const log = new WriteAheadFlush(options.file);
  const db = new Kysely<Tables>({ dialect: new ImmediateSqliteDialect(connection, busyTimeoutMs, log) });
  return {
    db,
    // every writing transaction begins with the lock already
    lockForWriting: () => Promise.resolve(),
    tableNames: sqliteTables,
    now: () => sql.val(Date.now()),
    locksRows: false,
    hasArrays: false,
    flush: () => log.flush(),
    ...(siblings && { announced: () => siblings.announce(), watch: (listener) => siblings.watch(listener) }),
    beforeClose: async () => {
      await log.close();
      tidy(connection);
    },
  };
};

/** The embedded store. */
export const openSqliteStore = async (options: SqliteStoreOptions): Promise<Store> =>
  openSqlStore(await openSqliteEngine(options), options.secretBox);
