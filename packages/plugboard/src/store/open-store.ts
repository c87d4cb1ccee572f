import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PlugboardError } from '@plugboard/contract';
import {
  establishMasterKey,
  openPostgresStore,
  openSqliteStore,
  type Siblings,
  type Store,
  type StorePlace,
} from '@plugboard/registry';
import { findKey, type FoundKey } from '../master-key/find-key.js';
import type { Settings } from '../settings/settings.js';

export const storeFile = (home: string): string => join(home, 'plugboard.db');

export const storePlace = ({ home, databaseUrl }: Settings): StorePlace =>
  databaseUrl === undefined ? { file: storeFile(home) } : { url: databaseUrl };

export interface OpenedStore extends Pick<FoundKey, 'box' | 'taskKey'> {
  readonly store: Store;
}

const wrongKey = (made: boolean): PlugboardError =>
  made
    ? new PlugboardError('CONFIG_INVALID', 'The master key is missing, and the store holds secrets that need it.', {
        hint: 'Put the key file back, or set PLUGBOARD_MASTER_KEY. Without it the secrets cannot be decrypted.',
      })
    : new PlugboardError('CONFIG_INVALID', 'The secrets in this store were encrypted with another master key.', {
        hint: 'Start with the right key. Nothing was changed.',
      });

/** Throws when there are secrets, and the key opens none of them: to go on would lose them one by one. */
const assertRightKey = async (
  { store, box }: Pick<OpenedStore, 'store' | 'box'>,
  { made }: FoundKey,
): Promise<void> => {
  const { total, foreign } = await store.seals.count(box);
  if (total === 0 || foreign < total) return;
  if (made !== undefined) await rm(made, { force: true });
  throw wrongKey(made !== undefined);
};

const finish = async ({ store, box }: OpenedStore, path: string): Promise<void> => {
  await store.seals.reseal(box);
  await establishMasterKey(path);
};

/**
 * The store that the settings choose, with the key that opens its secrets.
 * @param siblings processes that learn at once of changes in the embedded store; Postgres notifies them itself
 */
export const openStore = async (settings: Settings, siblings?: Siblings): Promise<OpenedStore> => {
  const found = await findKey(settings.masterKey);
  const secretBox = found.box;
  const store =
    settings.databaseUrl === undefined
      ? await openSqliteStore({ file: storeFile(settings.home), secretBox, siblings })
      : await openPostgresStore({ url: settings.databaseUrl, secretBox });
  const opened = { store, box: found.box, taskKey: found.taskKey };
  try {
    await assertRightKey(opened, found);
    if (found.unfinished !== undefined) await finish(opened, found.unfinished);
    return opened;
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
};

/** Makes the master key and the schema, if they are not there yet. */
export const prepareStore = async (settings: Settings): Promise<void> => {
  const { store } = await openStore(settings);
  await store.close();
};
