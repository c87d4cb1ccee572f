import type { AuditId } from '@plugboard/contract';
import { DummyDriver, Kysely, SqliteAdapter, SqliteQueryCompiler, type CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { SqlAuditStore } from './sql-audit-store.js';
import type { KeptAuditEntry } from './store.js';
import type { Tables } from './tables.js';

const COLUMNS = 9;

const entry = (at: number): KeptAuditEntry => ({
  id: `audit_${at}` as AuditId,
  at,
  kind: 'call',
  actor: 'local',
  action: 'tools/call',
  target: 'weather/forecast',
  outcome: 'ok',
  duration_ms: 1,
  details: '{}',
});

/** A database that notes how many rows each statement has, and in which turn of the event loop it came. */
const notingDatabase = () => {
  const written: { readonly rows: number; readonly turn: number }[] = [];
  let turn = 0;
  let ticking: NodeJS.Immediate;
  const tick = (): void => {
    turn += 1;
    ticking = setImmediate(tick);
  };
  tick();
  const executeQuery = ({ parameters }: CompiledQuery) => {
    written.push({ rows: parameters.length / COLUMNS, turn });
    return Promise.resolve({ rows: [] });
  };
  class NotingDriver extends DummyDriver {
    override acquireConnection() {
      return Promise.resolve({ executeQuery, streamQuery: () => expect.fail('nothing is read') });
    }
  }
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new NotingDriver(),
      createIntrospector: () => expect.fail('nothing is inspected'),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return { db, written, stop: () => clearImmediate(ticking) };
};

it('writes many entries in several turns of the event loop, all in one transaction', async () => {
  const { db, written, stop } = notingDatabase();
  let transactions = 0;
  const store = new SqlAuditStore({
    db,
    hasArrays: false,
    write: (work) => {
      transactions += 1;
      return db.transaction().execute(work);
    },
    guarded: (work) => work(),
  });
  try {
    await store.append(Array.from({ length: 354 }, (_, index) => entry(index)));
  } finally {
    stop();
  }
  expect(written.map(({ rows }) => rows)).toEqual([100, 100, 100, 50, 3, 1]);
  expect(new Set(written.slice(0, 4).map(({ turn }) => turn)).size).toBe(4);
  expect(transactions).toBe(1);
});
