import {
  benchReport,
  benchRun,
  checkReport,
  checkRun,
  PlugboardError,
  type ServerId,
  type SessionKeeping,
} from '@plugboard/contract';
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { SecretBox } from '../secret/secret-box.js';
import { migrate } from './migrate.js';
import { movedTables } from './moved-tables.js';
import { fromServerRow } from './server-row.js';
import { SqlAuditStore } from './sql-audit-store.js';
import type { AgentStore } from './agent-store.js';
import type { FleetStore } from './fleet-store.js';
import type { KeyStore } from './key-store.js';
import type { OAuthStore } from './oauth-store.js';
import type { BenchRunStore, CheckRunStore } from './run-store.js';
import { SqlAgentStore } from './sql-agent-store.js';
import type { SealStore } from './seal-store.js';
import { SqlSealStore } from './sql-seal-store.js';
import type { HealthServiceStore } from './health-service-store.js';
import { SqlRunStore } from './sql-run-store.js';
import type { KeyedRequestStore } from './keyed-request-store.js';
import { SqlFleetStore } from './sql-fleet-store.js';
import { SqlKeyedRequestStore } from './sql-keyed-request-store.js';
import { SqlHealthServiceStore } from './sql-health-service-store.js';
import type { LogStore } from './log-store.js';
import { SqlKeyStore } from './sql-key-store.js';
import type { MonitorStore } from './monitor-store.js';
import { SqlMonitorStore } from './sql-monitor-store.js';
import { SqlLogStore } from './sql-log-store.js';
import { SqlSessionStore } from './sql-session-store.js';
import { SqlOAuthStore } from './sql-oauth-store.js';
import { SqlTransaction } from './sql-transaction.js';
import { isConnectionFailure, mayBeSaved, toStoreError } from './store-error.js';
import type { AuditStore, KnownIds, Store, StoreChanges, StoredTool, StoreTransaction } from './store.js';
import type { Tables } from './tables.js';
import { fromToolRow } from './tool-row.js';
import { assertFinished } from './unfinished-copy.js';
import { fromToolsetRow } from './toolset-row.js';
import { WriteHealth } from './write-health.js';
import type { WriterQueue } from './writer-queue.js';

/** What the engines do differently. */
export interface SqlEngine {
  readonly db: Kysely<Tables>;
  /** Makes sure that no other process writes until the transaction ends. */
  readonly lockForWriting: (transaction: Transaction<Tables>) => Promise<void>;
  /** Makes an end of the transaction when nothing comes for some seconds, so that a process that is cut off keeps no lock. */
  hurry?(transaction: Transaction<Tables>): Promise<void>;
  /** The line of writers in this process; without it they have one connection. */
  readonly writers?: WriterQueue | undefined;
  /** The names of the tables that unqualified names can mean. */
  tableNames(transaction: Transaction<Tables>): Promise<ReadonlySet<string>>;
  /** Resolves when what was committed survives a power loss. */
  flush(): Promise<void>;
  /** Its clock, in epoch milliseconds: that of Postgres, so that the clocks of replicas do not matter. */
  readonly now: () => RawBuilder<number>;
  /** Does one statement lock no more than its rows? Then it needs no writing transaction. */
  readonly locksRows: boolean;
  /** Tells other processes of a change, when its transaction is committed. */
  announce?(transaction: Transaction<Tables>): Promise<void>;
  /** The same after the commit, where the transaction cannot carry it. */
  announced?(): Promise<void>;
  /** Has the listener look when other processes may have changed something; undefined where nobody can tell. */
  readonly watch?: ((listener: () => Promise<void>) => () => Promise<void>) | undefined;
  /** Can a parameter be a list of values? */
  readonly hasArrays: boolean;
  /** What must be done before the engine is closed. */
  beforeClose(): Promise<void>;
}

/** What a trial of the store writes and takes back: more than the pages in use have room for. */
const TRIAL_CHARACTERS = 65_536;

const byPosition = (a: StoredTool, b: StoredTool): number => a.position - b.position || (a.id < b.id ? -1 : 1);

class SqlStore implements Store {
  readonly audit: AuditStore;
  readonly oauth: OAuthStore;
  readonly keys: KeyStore;
  readonly agents: AgentStore;
  readonly seals: SealStore;
  readonly services: HealthServiceStore;
  readonly logs: LogStore;
  readonly monitor: MonitorStore;
  readonly checkRuns: CheckRunStore;
  readonly benchRuns: BenchRunStore;
  readonly sessions: SessionKeeping;
  readonly fleet: FleetStore;
  readonly keyedRequests: KeyedRequestStore;
  readonly #engine: SqlEngine;
  readonly #box: SecretBox;
  readonly #health = new WriteHealth(() => this.#tryWrite());
  #closed: Promise<void> | undefined;

  constructor(engine: SqlEngine, box: SecretBox) {
    this.#engine = engine;
    this.#box = box;
    const parts = {
      db: engine.db,
      hasArrays: engine.hasArrays,
      guarded: <Result>(work: () => Promise<Result>) => this.#guarded(work),
      write: <Result>(work: (db: Transaction<Tables>) => Promise<Result>) => this.#write(work),
    };
    this.audit = new SqlAuditStore(parts);
    this.oauth = new SqlOAuthStore(parts, box, engine.now);
    const announcing = {
      ...parts,
      change: <Result>(work: (db: Transaction<Tables>) => Promise<Result>) => this.#change(work, () => true),
    };
    this.keys = new SqlKeyStore(announcing);
    this.agents = new SqlAgentStore(announcing, box);
    this.seals = new SqlSealStore(parts);
    this.services = new SqlHealthServiceStore(parts);
    this.logs = new SqlLogStore(parts);
    this.monitor = new SqlMonitorStore(parts);
    this.checkRuns = new SqlRunStore(parts, { table: 'check_runs', run: checkRun, report: checkReport });
    this.benchRuns = new SqlRunStore(parts, { table: 'bench_runs', run: benchRun, report: benchReport });
    this.sessions = new SqlSessionStore(parts, engine.now);
    this.fleet = new SqlFleetStore(engine, parts);
    this.keyedRequests = new SqlKeyedRequestStore(engine, parts, box);
  }

  version(): Promise<number> {
    return this.#guarded(() => this.#version(this.#engine.db));
  }

  isWritable(): Promise<boolean> {
    return this.#health.isWritable();
  }

  changesSince(version: number, known?: KnownIds): Promise<StoreChanges> {
    const reading = this.#engine.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return this.#guarded(() => reading.execute((db) => this.#read(db, version, known)));
  }

  async interruptedSyncs(): Promise<readonly ServerId[]> {
    const query = this.#engine.db.selectFrom('sync_marks').select('server_id').orderBy('started_at');
    return (await this.#guarded(() => query.execute())).map((row) => row.server_id as ServerId);
  }

  async transaction<Result>(work: (transaction: StoreTransaction) => Promise<Result>): Promise<Result> {
    const { result } = await this.#change(
      async (db) => {
        const transaction = new SqlTransaction(db, this.#box);
        const result = await work(transaction);
        return { result, isStamped: await transaction.stamp() };
      },
      ({ isStamped }) => isStamped,
    );
    return result;
  }

  watch(listener: () => Promise<void>): (() => Promise<void>) | undefined {
    return this.#engine.watch?.(listener);
  }

  close(): Promise<void> {
    this.#closed ??= this.#guarded(async () => {
      try {
        await this.#engine.beforeClose();
      } finally {
        await this.#engine.db.destroy();
      }
    });
    return this.#closed;
  }

  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (thrown) {
      this.#health.note(thrown);
      throw toStoreError(thrown);
    }
  }

  /** Nobody sees the row: it is deleted before the transaction ends. */
  #tryWrite(): Promise<void> {
    const row = { key: 'trial', generation: 0, sealed: 'x'.repeat(TRIAL_CHARACTERS), used_at: 0 };
    return this.#write(async (db) => {
      await db.insertInto('client_sessions').values(row).execute();
      await db.deleteFrom('client_sessions').where('key', '=', row.key).execute();
    });
  }

  /** Writes what other processes have in memory, and tells them if it is a change. */
  async #change<Result>(
    work: (db: Transaction<Tables>) => Promise<Result>,
    isChange: (result: Result) => boolean,
  ): Promise<Result> {
    const result = await this.#write(async (db) => {
      const done = await work(db);
      if (isChange(done)) await this.#engine.announce?.(db);
      return done;
    });
    if (isChange(result)) await this.#engine.announced?.();
    return result;
  }

  #write<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    const { db: engine, lockForWriting, writers } = this.#engine;
    const write = async (onTurn?: () => void): Promise<Result> => {
      let isSaving = false;
      try {
        return await engine.transaction().execute(async (db) => {
          await lockForWriting(db);
          onTurn?.();
          const result = await work(db);
          isSaving = true;
          return result;
        });
      } catch (thrown) {
        throw isSaving && isConnectionFailure(thrown) ? mayBeSaved(thrown) : thrown;
      }
    };
    return this.#guarded(async () => {
      const result = await (writers?.run(write) ?? write());
      // outside the transaction: the next one need not wait for the disk
      await this.#engine.flush();
      return result;
    });
  }

  async #version(db: Kysely<Tables>): Promise<number> {
    const query = db.selectFrom('store_meta').select('value').where('key', '=', 'catalogue_version');
    return (await query.executeTakeFirstOrThrow()).value;
  }

  async #serverCount(db: Kysely<Tables>): Promise<number> {
    const query = db.selectFrom('mcp_servers').select((each) => each.fn.countAll().as('count'));
    return Number((await query.executeTakeFirstOrThrow()).count);
  }

  async #serverIds(db: Kysely<Tables>): Promise<readonly ServerId[]> {
    const rows = await db.selectFrom('mcp_servers').select('id').orderBy('created_at').orderBy('id').execute();
    return rows.map((row) => row.id as ServerId);
  }

  async #read(db: Kysely<Tables>, version: number, known?: KnownIds): Promise<StoreChanges> {
    const servers = await db.selectFrom('mcp_servers').selectAll().where('revision', '>', version).execute();
    const tools = await db
      .selectFrom('mcp_tools')
      .selectAll()
      .where('absent_since', 'is', null)
      .where('server_id', 'in', (sub) => sub.selectFrom('mcp_servers').select('id').where('revision', '>', version))
      .execute();
    const added = servers.filter(({ id }) => known?.has(id as ServerId) !== true).length;
    const isComplete = known !== undefined && (await this.#serverCount(db)) === known.size + added;
    const toolsets = await db.selectFrom('toolsets').selectAll().orderBy('name').execute();
    const toolsByServer = new Map<string, StoredTool[]>(servers.map((row) => [row.id, []]));
    for (const row of tools) toolsByServer.get(row.server_id)?.push(fromToolRow(row));
    // the engine would carry whole definitions through its sort
    for (const list of toolsByServer.values()) list.sort(byPosition);
    return {
      version: await this.#version(db),
      serverIds: isComplete ? undefined : await this.#serverIds(db),
      changed: servers.map((row) => ({
        server: fromServerRow(row, this.#box),
        tools: toolsByServer.get(row.id) ?? [],
      })),
      toolsets: toolsets.map(fromToolsetRow),
    };
  }
}

const assertComplete = (present: ReadonlySet<string>): void => {
  const missing = movedTables.find((table) => !present.has(table));
  if (missing === undefined) return;
  throw new PlugboardError('STORE_INCOMPATIBLE', `The store has no table ${missing}.`, {
    hint: 'Restore the store from a backup.',
  });
};

/** Brings the schema of an engine to that of this program. */
export const bringUpToDate = async (engine: SqlEngine): Promise<void> => {
  await engine.db.transaction().execute(async (db) => {
    await engine.lockForWriting(db);
    await migrate(db, await engine.tableNames(db));
    assertComplete(await engine.tableNames(db));
  });
  await engine.flush();
};

/** The store on an engine, brought to the schema of this program. Closes the engine when that fails. */
export const openSqlStore = async (engine: SqlEngine, box: SecretBox): Promise<Store> => {
  try {
    await bringUpToDate(engine);
    await assertFinished(engine.db);
    return new SqlStore(engine, box);
  } catch (thrown) {
    await engine.db.destroy();
    throw toStoreError(thrown);
  }
};
