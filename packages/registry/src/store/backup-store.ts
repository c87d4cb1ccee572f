import { randomBytes } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { fileExists } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { sql } from 'kysely';
import { migrations } from './migrations.js';
import { type MovedRows, type MoveOptions, moveRows } from './move-rows.js';
import { openEngine, type StorePlace } from './store-place.js';
import { bringUpToDate, type SqlEngine } from './sql-store.js';
import { openSqliteEngine } from './sqlite-store.js';
import { toStoreError } from './store-error.js';
import { assertFinished } from './unfinished-copy.js';

export interface BackupOptions extends MoveOptions {
  readonly from: StorePlace;
  /** The file that is written; it must not exist. */
  readonly file: string;
}

const taken = (): PlugboardError =>
  new PlugboardError('CONFLICT', 'The backup file already exists.', {
    hint: 'Give another name, or move that file away.',
  });

/** A backup must not change the store: a hub of another version may be running on it. */
const assertSameSchema = async ({ db }: SqlEngine): Promise<void> => {
  const query = db.selectFrom('store_meta').select('value').where('key', '=', 'schema_version');
  const { value } = await query.executeTakeFirstOrThrow();
  if (value === migrations.length) return;
  throw new PlugboardError(
    'STORE_INCOMPATIBLE',
    `The store has schema ${value}, and this program writes schema ${migrations.length}.`,
    { hint: 'Back it up with the version of Plugboard that runs on it.' },
  );
};

const copyInto = async (file: string, from: SqlEngine, options: MoveOptions): Promise<MovedRows> => {
  const to = await openSqliteEngine({ file });
  try {
    await bringUpToDate(to);
    const moved = await moveRows(from, to, options);
    // one file, without companions: nothing may hold the log then
    await to.beforeClose();
    await sql`pragma journal_mode = delete`.execute(to.db);
    return moved;
  } finally {
    await to.db.destroy();
  }
};

const flushToDisk = async (file: string): Promise<void> => {
  const opened = await open(file, 'r+');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
};

/** Throws CONFLICT when the place is taken: nothing is overwritten. */
const putInPlace = async (draft: string, file: string): Promise<void> => {
  try {
    await link(draft, file);
  } catch (thrown) {
    throw thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST' ? taken() : thrown;
  }
};

/**
 * Writes everything that a store has at one moment into one file, compared row by row, while hubs go on using the store.
 * The file appears when it is complete. Secrets stay sealed; the master key is not in it.
 */
export const backupStore = async ({ from, file, ...options }: BackupOptions): Promise<MovedRows> => {
  if (await fileExists(file)) throw taken();
  if ('file' in from && !(await fileExists(from.file))) {
    throw new PlugboardError('NOT_FOUND', 'There is no store here to back up.', {
      hint: 'Give the home of the hub, or its database.',
    });
  }
  const draft = `${file}.${randomBytes(6).toString('hex')}.partial`;
  let source: SqlEngine | undefined;
  try {
    source = await openEngine(from);
    await assertSameSchema(source);
    await assertFinished(source.db);
    const moved = await copyInto(draft, source, options);
    await flushToDisk(draft);
    await putInPlace(draft, file);
    return moved;
  } catch (thrown) {
    throw toStoreError(thrown);
  } finally {
    await source?.db.destroy();
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(draft + suffix, { force: true });
  }
};
