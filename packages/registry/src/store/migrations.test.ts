import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations, OLDEST_COMPATIBLE } from './migrations.js';
import type { SqlEngine } from './sql-store.js';
import { openSqliteEngine } from './sqlite-store.js';
import type { Tables } from './tables.js';

interface Column {
  readonly of: string;
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

/** What binds those who write to a table: its columns, and the unique indexes and triggers on it. */
interface Schema {
  readonly columns: readonly Column[];
  readonly rules: readonly { readonly of: string; readonly name: string }[];
}

const readSchema = async (db: Transaction<Tables>): Promise<Schema> => {
  const columns = await sql<Column>`
    select t.name as "of", c.name, c.type, c."notnull", c.dflt_value, c.pk
    from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'`.execute(db);
  const rules = await sql<Schema['rules'][number]>`
    select tbl_name as "of", name from sqlite_master where type = 'trigger'
    union all select t.name, i.name from sqlite_master t, pragma_index_list(t.name) i where t.type = 'table' and i."unique" = 1`.execute(
    db,
  );
  return { columns: columns.rows, rules: rules.rows };
};

/** Why a program that knows the first schema cannot use the second. */
const obstacles = (before: Schema, after: Schema): string[] => {
  const tables = new Set(before.columns.map((column) => column.of));
  const nameOf = (column: { readonly of: string; readonly name: string }): string => `${column.of}.${column.name}`;
  const known = new Map(before.columns.map((column) => [nameOf(column), column]));
  const now = new Map(after.columns.map((column) => [nameOf(column), column]));
  const rulesBefore = new Set(before.rules.map(nameOf));
  return [
    ...[...known.keys()].filter((name) => !now.has(name)).map((name) => `${name} is missing`),
    ...[...known]
      .filter(([name, column]) => now.has(name) && JSON.stringify(now.get(name)) !== JSON.stringify(column))
      .map(([name]) => `${name} changed`),
    ...after.columns
      .filter((column) => tables.has(column.of) && !known.has(nameOf(column)))
      .filter((column) => column.notnull === 1 && column.dflt_value === null)
      .map((column) => `${nameOf(column)} must be written`),
    ...after.rules
      .filter((rule) => tables.has(rule.of) && !rulesBefore.has(nameOf(rule)))
      .map((rule) => `${nameOf(rule)} refuses what was accepted`),
  ];
};

let home: string;
let engine: SqlEngine;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-migrations-'));
  engine = await openSqliteEngine({ file: join(home, 'plugboard.db') });
});
afterEach(async () => {
  await engine.beforeClose?.();
  await engine.db.destroy();
  await rm(home, { recursive: true, force: true });
});

/** What stands between a program of the oldest compatible schema and the store after these steps. */
const obstaclesAfter = (steps: (db: Transaction<Tables>) => Promise<unknown>): Promise<string[]> =>
  engine.db.transaction().execute(async (db) => {
    for (const migration of migrations.slice(0, OLDEST_COMPATIBLE)) await migration(db);
    const before = await readSchema(db);
    await steps(db);
    return obstacles(before, await readSchema(db));
  });

describe('the migrations since the oldest compatible schema', () => {
  it('leave everything that programs with that schema read and write', async () => {
    expect(OLDEST_COMPATIBLE).toBeLessThan(migrations.length);
    const found = await obstaclesAfter(async (db) => {
      for (const migration of migrations.slice(OLDEST_COMPATIBLE)) await migration(db);
    });
    expect(found).toEqual([]);
  });

  it.each([
    ['alter table leases drop column token', 'leases.token is missing'],
    ['alter table leases rename column token to fence', 'leases.token is missing, leases.fence must be written'],
    [`alter table leases add column fence text`, undefined],
    [`alter table leases add column fence text not null default ''`, undefined],
    ['create index leases_by_holder on leases (holder)', undefined],
    ['create table of_the_future (id text primary key)', undefined],
    ['create unique index one_lease on leases (holder)', 'leases.one_lease refuses what was accepted'],
    [
      "create trigger no_leases before insert on leases begin select raise(abort, 'no'); end",
      'leases.no_leases refuses what was accepted',
    ],
    [
      'drop table leases; create table leases (name text primary key, holder text, token bigint not null, until bigint not null, fence text not null)',
      'leases.holder changed, leases.fence must be written',
    ],
  ])('would be found out by this test: %s', async (statements, obstacle) => {
    const found = await obstaclesAfter(async (db) => {
      const parts = statements.startsWith('create trigger') ? [statements] : statements.split('; ');
      for (const statement of parts) await sql.raw(statement).execute(db);
    });
    expect(found.join(', ')).toBe(obstacle ?? '');
  });
});
