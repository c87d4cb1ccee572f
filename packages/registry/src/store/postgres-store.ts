import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import type { SecretBox } from '../secret/secret-box.js';
import { CHANGE_CHANNEL, listenForChanges } from './postgres-changes.js';
import { openSqlStore, type SqlEngine } from './sql-store.js';
import type { Store } from './store.js';
import type { Tables } from './tables.js';
import { WriterQueue } from './writer-queue.js';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  readonly secretBox: SecretBox;
  readonly poolSize?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** How long a write waits for another process. */
  readonly lockTimeoutMs?: number | undefined;
  /** How long the database may say nothing to a connection that waits for it. */
  readonly silenceMs?: number | undefined;
}

const POOL_SIZE = 10;
/** A process that itself stands still for some seconds must not fail because of that. */
const CONNECT_MS = 10_000;

/** How long one statement may take. */
const STATEMENT_MS = 30_000;

// any number that no other program in the same database is likely to take
const WRITE_LOCK = 209_120_911;

const SILENCE_MS = 10_000;
/** A statement that waits for a lock says nothing either. It gives up before the silence ends its connection. */
const SHARE_OF_SILENCE = 0.8;
/** How long a transaction that others wait for may do nothing before Postgres ends it. */
const PAUSE_MS = '5000';
/** Longer than that pause, and enough for several writes in a row on a Postgres whose answers are slow. */
const LOCK_MS = 20_000;

/** What pg shows of a connection to nobody but itself. */
interface OpenConnection {
  readonly connection: { readonly stream: Socket };
  /** False while an answer is waited for. */
  readonly readyForQuery: boolean;
}

const innerOf = (client: PoolClient): OpenConnection => client as unknown as OpenConnection;

/**
 * Ends connections on which nothing arrives while somebody waits. After a partition nobody closes the old connections: what
 * waits on them would wait for long although new ones work. Those that nobody uses at the time go with the first of them.
 */
const endSilentConnections = (pool: Pool, silenceMs: number): void => {
  const idle = new Set<PoolClient>();
  const end = (client: PoolClient): void =>
    void innerOf(client).connection.stream.destroy(new Error('The database did not answer.'));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('release', (error: unknown, client) => {
    if (!(error instanceof Error)) idle.add(client);
  });
  pool.on('connect', (client) => {
    const { stream } = innerOf(client).connection;
    stream.on('timeout', () => {
      const heard = stream.bytesRead;
      // An answer that came while this process itself stood still is read first.
      setImmediate(() => {
        if (innerOf(client).readyForQuery || stream.bytesRead !== heard) return;
        for (const each of [client, ...idle]) end(each);
      });
    });
    stream.setTimeout(silenceMs);
  });
};

const openPool = async (options: Omit<PostgresStoreOptions, 'secretBox'>, patienceMs: number): Promise<Pool> => {
  // loaded here, because the embedded store does not need it
  const { default: pg } = await import('pg');
  const types: PoolConfig['types'] = {
    getTypeParser: (oid, format) =>
      oid === pg.types.builtins.INT8 ? (text: string) => Number(text) : pg.types.getTypeParser(oid, format),
  };
  const silenceMs = options.silenceMs ?? SILENCE_MS;
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: 'plugboard',
    max: options.poolSize ?? POOL_SIZE,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 5000,
    lock_timeout: Math.min(patienceMs, Math.floor(silenceMs * SHARE_OF_SILENCE)),
    idle_in_transaction_session_timeout: 60_000,
    types,
  });
  // an idle connection that breaks is replaced at the next query, which reports what is wrong then
  pool.on('error', () => undefined);
  // One that breaks between two statements of a transaction fails the next of them; without this, it ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  endSilentConnections(pool, silenceMs);
  return pool;
};

/** Until the end of the transaction. A process that is cut off meanwhile must not keep the others waiting. */
const PAUSE = sql`set_config('idle_in_transaction_session_timeout', ${PAUSE_MS}, true)`;

/** The engine behind the store that replicas share. */
export const openPostgresEngine = async (options: Omit<PostgresStoreOptions, 'secretBox'>): Promise<SqlEngine> => {
  const patienceMs = options.lockTimeoutMs ?? LOCK_MS;
  const pool = await openPool(options, patienceMs);
  return {
    writers: new WriterQueue({ patienceMs }),
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    lockForWriting: async (transaction) => {
      await sql`select ${PAUSE}, pg_advisory_xact_lock(${WRITE_LOCK})`.execute(transaction);
    },
    hurry: async (transaction) => {
      await sql`select ${PAUSE}`.execute(transaction);
    },
    tableNames: async (transaction) => {
      const { rows } = await sql<{
        name: string;
      }>`select tablename as name from pg_tables where schemaname = any(current_schemas(false))`.execute(transaction);
      return new Set(rows.map((row) => row.name));
    },
    // a commit of Postgres has waited for the disk already
    flush: () => Promise.resolve(),
    now: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    locksRows: true,
    hasArrays: true,
    announce: async (transaction) => {
      await sql`select pg_notify(${CHANGE_CHANNEL}, '')`.execute(transaction);
    },
    watch: (listener) => listenForChanges(options.url, () => void listener()),
    beforeClose: () => Promise.resolve(),
  };
};

/** The store that replicas share. */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> =>
  openSqlStore(await openPostgresEngine(options), options.secretBox);
