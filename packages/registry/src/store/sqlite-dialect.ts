import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type TransactionSettings,
} from 'kysely';
import type { SqliteConnection } from './sqlite-binding.js';
import type { WriteAheadFlush } from './write-ahead-flush.js';

type Parameters = readonly (null | number | string)[];

type KyselyStatement = ReturnType<SqliteDatabase['prepare']>;

const toKyselyStatement = (connection: SqliteConnection, sql: string): KyselyStatement => {
  const statement = connection.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as Parameters)),
    run: (parameters) => statement.run(...(parameters as Parameters)),
    iterate: (parameters) => statement.all(...(parameters as Parameters))[Symbol.iterator](),
  };
};

const MAX_KEPT = 16;

/**
 * Kysely speaks to the interface of another package: statements tell whether they read, parameters come as an array.
 * Insertions are kept as they were prepared: to read one of many rows takes SQLite longer than to carry it out.
 */
const toKyselyDatabase = (connection: SqliteConnection): SqliteDatabase => {
  const kept = new Map<string, KyselyStatement>();
  return {
    close: () => {
      kept.clear();
      connection.close();
    },
    prepare: (sql) => {
      const known = kept.get(sql);
      if (known !== undefined) return known;
      const statement = toKyselyStatement(connection, sql);
      if (!statement.reader && sql.startsWith('insert into')) {
        if (kept.size >= MAX_KEPT) kept.clear();
        kept.set(sql, statement);
      }
      return statement;
    },
  };
};

interface ImmediateSqliteConfig extends SqliteDialectConfig {
  readonly busyTimeoutMs: number;
  readonly log: WriteAheadFlush;
}

const ERROR = 1;
const BUSY = 5;
const RETRY_AFTER_MS = 5;

const hasErrcode = (thrown: unknown, errcode: number): boolean =>
  thrown instanceof Error && 'errcode' in thrown && thrown.errcode === errcode;

/** Tries until no other process holds the file, without blocking the event loop. */
export const whenFree = async (work: () => void, busyTimeoutMs: number): Promise<void> => {
  const until = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return work();
    } catch (thrown) {
      if (!hasErrcode(thrown, BUSY) || performance.now() >= until) throw thrown;
    }
    await sleep(RETRY_AFTER_MS);
  }
};

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #busyTimeoutMs: number;
  readonly #log: WriteAheadFlush;

  constructor(config: ImmediateSqliteConfig) {
    super(config);
    this.#busyTimeoutMs = config.busyTimeoutMs;
    this.#log = config.log;
  }

  // SQLite deletes the log with its last connection, which some systems refuse while it is open.
  override async destroy(): Promise<void> {
    await this.#log.close();
    await super.destroy();
  }

  // A transaction that reads first and writes later fails at once when another process wrote in between, whatever the
  // busy timeout; so the write lock is taken first. SQLite would wait for it with the event loop standing still, so the
  // wait is made here.
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const run = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql));
    if (settings?.accessMode === 'read only') {
      await run('begin');
      return;
    }
    const deadline = performance.now() + this.#busyTimeoutMs;
    await run('pragma busy_timeout = 0');
    try {
      for (;;) {
        try {
          await run('begin immediate');
          return;
        } catch (thrown) {
          if (!hasErrcode(thrown, BUSY) || performance.now() >= deadline) throw thrown;
        }
        await sleep(RETRY_AFTER_MS * (1 + Math.random()));
      }
    } finally {
      await run(`pragma busy_timeout = ${this.#busyTimeoutMs}`);
    }
  }

  // When the disk is full, SQLite rolls the transaction back. There is none left then, and what the caller has to
  // hear is why, not that.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (thrown) {
      if (!hasErrcode(thrown, ERROR)) throw thrown;
    }
  }
}

export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: ImmediateSqliteConfig;

  constructor(connection: SqliteConnection, busyTimeoutMs: number, log: WriteAheadFlush) {
    const config = { database: toKyselyDatabase(connection), busyTimeoutMs, log };
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#config);
  }
}
