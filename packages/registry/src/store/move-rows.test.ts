import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { box, insert, sampleServer } from '../test-support/store-samples.js';
import { moveRows } from './move-rows.js';
import { moveStore } from './move-store.js';
import { portionsOf } from './portions.js';
import { openSqliteConnection } from './sqlite-binding.js';
import { bringUpToDate, type SqlEngine } from './sql-store.js';
import { openSqliteEngine, openSqliteStore } from './sqlite-store.js';

// Two embedded stores take the place of an embedded one and Postgres: the copy does not know its engines.

let home: string;
const engines: SqlEngine[] = [];

const engineOf = async (file: string): Promise<SqlEngine> => {
  const engine = await openSqliteEngine({ file: join(home, file) });
  engines.push(engine);
  await bringUpToDate(engine);
  return engine;
};

const fill = async (file: string): Promise<void> => {
  const store = await openSqliteStore({ file: join(home, file), secretBox: box });
  // More than are inserted at once.
  for (let index = 0; index < 210; index += 1) await insert(store, sampleServer(`shop-${index}`));
  await store.close();
};

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-move-'));
});

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.db.destroy();
  await rm(home, { recursive: true, force: true });
});

it('copies every row, and tells how many of each table', async () => {
  await fill('from.db');
  const told: string[] = [];
  const moved = await moveRows(await engineOf('from.db'), await engineOf('to.db'), {
    onTable: (table, rows) => told.push(`${table} ${rows}`),
  });
  expect(moved).toMatchObject({ mcp_servers: 210, agents: 0 });
  expect(told).toContain('mcp_servers 210');
  const target = await openSqliteStore({ file: join(home, 'to.db'), secretBox: box });
  try {
    expect((await target.changesSince(0)).changed).toHaveLength(210);
  } finally {
    await target.close();
  }
});

it('refuses a target that is not empty, and changes nothing in it', async () => {
  await fill('from.db');
  await fill('to.db');
  const [from, to] = [await engineOf('from.db'), await engineOf('to.db')];
  await expect(moveRows(from, to)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await to.db.selectFrom('mcp_servers').selectAll().execute()).toHaveLength(210);
});

const events = Array.from({ length: 2500 }, (_none, index) => ({
  session_key: `s${index % 3}`,
  last_event: index,
  sealed: 'x',
}));

const fillEvents = async (engine: SqlEngine): Promise<void> => {
  for (let start = 0; start < events.length; start += 500) {
    await engine.db
      .insertInto('client_events')
      .values(events.slice(start, start + 500))
      .execute();
  }
};

it('continues a copy that was interrupted, and no hub opens what is incomplete', async () => {
  await fill('from.db');
  const [from, to] = [await engineOf('from.db'), await engineOf('to.db')];
  await fillEvents(from);
  const stop = new AbortController();
  const stopAtLogs = {
    signal: stop.signal,
    onTable: (table: string) => void (table === 'server_logs' && stop.abort()),
  };
  await expect(moveRows(from, to, stopAtLogs)).rejects.toThrow('The copy was interrupted.');
  // As if it had been killed in the middle of a table.
  await to.db
    .insertInto('client_events')
    .values(events.filter(({ session_key }) => session_key === 's0'))
    .execute();
  await expect(openSqliteStore({ file: join(home, 'to.db'), secretBox: box })).rejects.toMatchObject({
    code: 'STORE_INCOMPATIBLE',
  });
  expect(await moveRows(from, to)).toMatchObject({ mcp_servers: 210, client_events: 2500 });
  await (await openSqliteStore({ file: join(home, 'to.db'), secretBox: box })).close();
  expect(await to.db.selectFrom('client_events').selectAll().execute()).toHaveLength(2500);
});

it('replaces a NUL, which Postgres refuses', async () => {
  const [from, to] = [await engineOf('from.db'), await engineOf('to.db')];
  await from.db.insertInto('client_events').values({ session_key: 's', last_event: 1, sealed: 'a\0b' }).execute();
  expect(await moveRows(from, to)).toMatchObject({ client_events: 1 });
  // Some bindings of SQLite read a text up to its first NUL only.
  const [row] = await to.db.selectFrom('client_events').select('sealed').execute();
  expect(row?.sealed).toMatch(/^a(?:\uFFFDb)?$/u);
});

it('tells when it begins, only for a target that can be filled', async () => {
  await fill('from.db');
  await fill('full.db');
  const [from, to] = [await engineOf('from.db'), await engineOf('to.db')];
  let begun = 0;
  const stop = new AbortController();
  const onBegin = async (): Promise<void> => void (begun += 1);
  await expect(moveRows(from, await engineOf('full.db'), { onBegin })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(begun).toBe(0);
  stop.abort();
  await expect(moveRows(from, to, { onBegin, signal: stop.signal })).rejects.toThrow('interrupted');
  await moveRows(from, to, { onBegin });
  expect(begun).toBe(2);
});

it('does not finish when what arrived is not what was sent', async () => {
  const [from, to] = [await engineOf('from.db'), await engineOf('to.db')];
  await fillEvents(from);
  const spoil = (table: string): void => {
    if (table !== 'client_sessions') return;
    void to.db.insertInto('client_events').values({ session_key: 'other', last_event: 1, sealed: 'y' }).execute();
  };
  await expect(moveRows(from, to, { onTable: spoil })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(openSqliteStore({ file: join(home, 'to.db'), secretBox: box })).rejects.toThrow('interrupted');
});

it('reads as many rows at once as fit into memory, at least one', async () => {
  const engine = await engineOf('from.db');
  const sizes = [10, 10, 500, 10, 95, 10, 10];
  for (const [index, size] of sizes.entries()) {
    // The length of a text with a NUL is not its size.
    const sealed = sql`char(0) || ${'x'.repeat(size)}`;
    await sql`insert into client_events (session_key, last_event, sealed) values ('s', ${index}, ${sealed})`.execute(
      engine.db,
    );
  }
  const read: unknown[] = [];
  for await (const rows of portionsOf(engine.db, 'client_events', { rows: 3, bytes: 100 })) {
    read.push(rows.map((row) => row['last_event']));
  }
  expect(read).toEqual([[0, 1], [2], [3], [4], [5, 6]]);
});

// Endless, if somebody reads it.
const ROWS = 'with recursive n(i) as (select 1 union all select i + 1 from n) select';

it.each([
  ['a view', `drop table sync_marks; create view sync_marks as ${ROWS} i as server_id, i as started_at from n`],
  [
    'a view in capitals',
    `drop table sync_marks; create view SYNC_MARKS as ${ROWS} i as server_id, 1 as started_at from n`,
  ],
  ['a view of counters', `drop table store_meta; create view store_meta as select 'schema_version' as key, 1 as value`],
  [
    'a computed column',
    'drop table sync_marks; create table sync_marks (server_id text, started_at as (length(zeroblob(9))))',
  ],
  ['nothing', 'drop table sync_marks'],
])('refuses a file that has %s in the place of a table, before it reads it', async (_, tamper) => {
  await fill('from.db');
  const file = join(home, 'from.db');
  const connection = await openSqliteConnection(file, 1000);
  connection.exec(tamper);
  connection.close();
  const refused = { code: 'STORE_INCOMPATIBLE', message: expect.stringMatching(/sync_marks|store_meta/iu) as string };
  await expect(openSqliteStore({ file, secretBox: box })).rejects.toMatchObject(refused);
  await expect(moveStore({ from: { file }, to: { file: join(home, 'to.db') } })).rejects.toMatchObject(refused);
});
