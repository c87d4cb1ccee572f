import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { box, insert, sampleServer } from '../test-support/store-samples.js';
import { moveRows } from './move-rows.js';
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
