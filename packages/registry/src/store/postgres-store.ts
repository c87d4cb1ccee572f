import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Pool, PoolConfig } from 'pg';
import type { SecretBox } from '../secret/secret-box.js';
import { openSqlStore, type SqlEngine } from './sql-store.js';
import type { Store } from './store.js';
import type { Tables } from './tables.js';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  readonly secretBox: SecretBox;
  readonly poolSize?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** How long a write waits for another process. */
  readonly lockTimeoutMs?: number | undefined;
  readonly statementTimeoutMs?: number | undefined;
}

// any number that no other program in the same database is likely to take
const WRITE_LOCK = 209_120_911;

const openPool = async (options: Omit<PostgresStoreOptions, 'secretBox'>): Promise<Pool> => {
  // loaded here, because the embedded store does not need it
  const { default: pg } = await import('pg');
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const types: PoolConfig['types'] = {
    getTypeParser: (oid, format) =>
      oid === pg.types.builtins.INT8 ? (text: string) => Number(text) : pg.types.getTypeParser(oid, format),
  };
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: 'plugboard',
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 5000,
    lock_timeout: options.lockTimeoutMs ?? 5000,
    idle_in_transaction_session_timeout: 60_000,
    types,
  });
  // an idle connection that breaks is replaced at the next query, which reports what is wrong then
  pool.on('error', () => undefined);
  return pool;
};

/** The engine behind the store that replicas share. */
export const openPostgresEngine = async (options: Omit<PostgresStoreOptions, 'secretBox'>): Promise<SqlEngine> => {
  const pool = await openPool(options);
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    lockForWriting: async (transaction) => {
      await sql`select pg_advisory_xact_lock(${WRITE_LOCK})`.execute(transaction);
    },
    tableNames: async (transaction) => {
      const { rows } = await sql<{
        name: string;
      }>`select tablename as name from pg_tables where schemaname = any(current_schemas(false))`.execute(transaction);
      return new Set(rows.map((row) => row.name));
    },
    beforeClose: () => Promise.resolve(),
  };
};

/** The store that replicas share. */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> =>
  openSqlStore(await openPostgresEngine(options), options.secretBox);
