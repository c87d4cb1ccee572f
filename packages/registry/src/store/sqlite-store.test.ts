import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import { openSqliteConnection } from './sqlite-binding.js';
import { openSqlStore } from './sql-store.js';
import { openSqliteEngine, openSqliteStore } from './sqlite-store.js';
import { sampleServer } from '../test-support/store-samples.js';
import { describeStore } from './store.contract.js';

const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(1) });

describeStore('SQLite', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-store-'));
  const file = join(home, 'plugboard.db');
  return {
    open: (box) => openSqliteStore({ file, secretBox: box }),
    dump: async () => {
      const texts = await Promise.all(['', '-wal'].map((suffix) => readFile(file + suffix, 'latin1')));
      return texts.join('');
    },
    tamper: async (statement) => {
      const connection = await openSqliteConnection(file, 5000);
      try {
        connection.exec(`pragma foreign_keys = off; ${statement}`);
      } finally {
        connection.close();
      }
    },
    dispose: () => rm(home, { recursive: true, force: true }),
  };
});

describe('openSqliteStore', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plugboard-store-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('makes the home and keeps its files from other users', async () => {
    const file = join(home, 'deep', 'plugboard.db');
    const store = await openSqliteStore({ file, secretBox });
    try {
      await store.transaction((tx) => tx.insertServer(sampleServer('one')));
      for (const suffix of ['', '-wal', '-shm']) expect((await stat(file + suffix)).mode & 0o777).toBe(0o600);
    } finally {
      await store.close();
    }
  });

  it('acknowledges a write only when its log is on the disk', async () => {
    const engine = await openSqliteEngine({ file: join(home, 'plugboard.db') });
    let isDiskBroken = false;
    const flush = (): Promise<void> =>
      isDiskBroken ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) : engine.flush();
    const store = await openSqlStore({ ...engine, flush }, secretBox);
    try {
      await store.transaction((tx) => tx.insertServer(sampleServer('one')));
      isDiskBroken = true;
      await expect(store.transaction((tx) => tx.insertServer(sampleServer('two')))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      });
    } finally {
      await store.close();
    }
  });

  it.each([
    ['the disk is full', 'max_page_count = 1', 'max_page_count = 1073741823'],
    ['the file is read-only', 'query_only = on', 'query_only = off'],
  ])('is not writable while %s, and tries again every two seconds at most', async (_case, breaks, repairs) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const engine = await openSqliteEngine({ file: join(home, 'plugboard.db') });
    const flush = vi.fn(() => engine.flush());
    const store = await openSqlStore({ ...engine, flush }, secretBox);
    const pragma = (text: string) => sql.raw(`pragma ${text}`).execute(engine.db);
    try {
      const flushes = flush.mock.calls.length;
      expect(await store.isWritable()).toBe(true);
      expect(flush).toHaveBeenCalledTimes(flushes);
      await pragma(breaks);
      await expect(
        store.sessions.save({
          sessions: [{ key: 'a', generation: 1, sealed: 'x'.repeat(200_000), idleMs: 1 }],
          events: [],
          trimmed: [],
          ended: [],
        }),
      ).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await store.isWritable()).toBe(false);
      await pragma(repairs);
      expect(await store.isWritable()).toBe(false);
      vi.advanceTimersByTime(2000);
      expect(await Promise.all([store.isWritable(), store.isWritable()])).toEqual([true, true]);
      expect(flush).toHaveBeenCalledTimes(flushes + 1);
      expect(await store.sessions.load('trial')).toBeUndefined();
    } finally {
      await store.close();
    }
  });

  it('writes ahead', async () => {
    const file = join(home, 'plugboard.db');
    await (await openSqliteStore({ file, secretBox })).close();
    const connection = await openSqliteConnection(file, 0);
    expect(connection.prepare('pragma journal_mode').all()).toEqual([{ journal_mode: 'wal' }]);
    connection.close();
  });

  it('says that a file is not a database, and leaves it alone', async () => {
    const file = join(home, 'plugboard.db');
    const text = 'certainly not a database '.repeat(100);
    await writeFile(file, text);
    await expect(openSqliteStore({ file, secretBox })).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('says that the place cannot be used', async () => {
    await writeFile(join(home, 'file'), '');
    const file = join(home, 'file', 'plugboard.db');
    await expect(openSqliteStore({ file, secretBox })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('gives up after the busy timeout when another process keeps writing', async () => {
    const file = join(home, 'plugboard.db');
    const store = await openSqliteStore({ file, secretBox, busyTimeoutMs: 20 });
    const hog = await openSqliteConnection(file, 0);
    try {
      hog.exec('begin immediate');
      const write = store.transaction((tx) => tx.insertServer(sampleServer('one')));
      await expect(write).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await store.version()).toBe(0);
      expect(await store.isWritable()).toBe(true);
      hog.exec('rollback');
      await store.transaction((tx) => tx.insertServer(sampleServer('one')));
      expect(await store.version()).toBe(1);
    } finally {
      hog.close();
      await store.close();
    }
  });
});
