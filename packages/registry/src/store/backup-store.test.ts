import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { box, sampleServer, sampleTool } from '../test-support/store-samples.js';
import { backupStore } from './backup-store.js';
import { openSqliteConnection } from './sqlite-binding.js';
import { openSqliteStore } from './sqlite-store.js';
import type { Store } from './store.js';

let home: string;
let store: Store;
const place = (name: string): string => join(home, name);

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-backup-'));
  store = await openSqliteStore({ file: place('store.db'), secretBox: box });
});
afterEach(async () => {
  await store.close();
  await rm(home, { recursive: true, force: true });
});

const backup = (file: string, more: object = {}) =>
  backupStore({ from: { file: place('store.db') }, file: place(file), ...more });

/** A server and its only tool, in one transaction. */
const addPair = (number: number): Promise<void> =>
  store.transaction(async (tx) => {
    const server = sampleServer(`server-${number}`);
    await tx.insertServer(server);
    await tx.putTools([sampleTool(server.id, 'only')]);
  });

it('holds the store as it is at one moment, while others write', async () => {
  let written = 0;
  const stop = new AbortController();
  const writing = (async () => {
    for (; !stop.signal.aborted && written < 2000; written += 1) {
      await addPair(written);
      // The store answers at once: without a pause nobody else would get a turn.
      await setImmediate();
    }
  })();
  try {
    for (const file of ['a', 'b', 'c']) {
      await expect.poll(() => written, { timeout: 10_000 }).toBeGreaterThan(5);
      const rows = await backup(file);
      expect(rows['mcp_tools']).toBe(rows['mcp_servers']);
      const copy = await openSqliteStore({ file: place(file), secretBox: box });
      try {
        const { changed } = await copy.changesSince(0);
        expect(changed).toHaveLength(rows['mcp_servers'] ?? -1);
        expect(changed.every(({ tools }) => tools.length === 1)).toBe(true);
      } finally {
        await copy.close();
      }
    }
  } finally {
    stop.abort();
    await writing;
  }
});

it('is one file that only its owner can read', async () => {
  await addPair(1);
  await backup('copy');
  expect((await stat(place('copy'))).mode & 0o777).toBe(0o600);
  expect((await readdir(home)).filter((name) => name.startsWith('copy'))).toEqual(['copy']);
});

it('overwrites nothing', async () => {
  await writeFile(place('taken'), 'mine');
  await expect(backup('taken')).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await readFile(place('taken'), 'utf8')).toBe('mine');
});

it('leaves nothing behind when it is interrupted', async () => {
  await addPair(1);
  await expect(backup('copy', { signal: AbortSignal.abort() })).rejects.toThrow('The copy was interrupted.');
  expect((await readdir(home)).filter((name) => name.startsWith('copy'))).toEqual([]);
});

it('refuses a store that is not there, and one of another schema, and leaves them as they are', async () => {
  await expect(backupStore({ from: { file: place('none.db') }, file: place('copy') })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await readdir(home)).not.toContain('none.db');
  const connection = await openSqliteConnection(place('store.db'), 5000);
  connection.exec(`update store_meta set value = 3 where key = 'schema_version'`);
  connection.close();
  await expect(backup('copy')).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
});
