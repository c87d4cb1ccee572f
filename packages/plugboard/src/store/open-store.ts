import { hkdfSync } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileExists } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import {
  createEnvelopeSecretBox,
  establishMasterKey,
  loadOrCreateMasterKey,
  openPostgresStore,
  openSqliteStore,
  parseMasterKey,
  pendingMasterKey,
  type RotatingSecretBox,
  type Store,
  type StorePlace,
} from '@plugboard/registry';
import type { MasterKeySource, Settings } from '../settings/settings.js';

export const storeFile = (home: string): string => join(home, 'plugboard.db');

export const storePlace = ({ home, databaseUrl }: Settings): StorePlace =>
  databaseUrl === undefined ? { file: storeFile(home) } : { url: databaseUrl };

export interface OpenedStore {
  readonly store: Store;
  readonly box: RotatingSecretBox;
  /** Signs the ids of tasks that clients keep: the same after a restart, and for all hubs with this master key. */
  readonly taskKey: Uint8Array;
}

const TASK_KEY_BYTES = 32;

const taskKeyOf = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', 'plugboard task ids', TASK_KEY_BYTES));

interface FoundKey {
  readonly box: RotatingSecretBox;
  readonly taskKey: Uint8Array;
  /** The file that was made for this start. */
  readonly made?: string | undefined;
  /** A rotation was interrupted: the key in this file is to be finished with. */
  readonly unfinished?: string | undefined;
}

const findKey = async (source: MasterKeySource): Promise<FoundKey> => {
  if (source.from === 'environment') {
    const retiredKeys = source.previous === undefined ? [] : [parseMasterKey(source.previous.reveal())];
    const masterKey = parseMasterKey(source.value.reveal());
    return { box: createEnvelopeSecretBox({ masterKey, retiredKeys }), taskKey: taskKeyOf(masterKey) };
  }
  const { path } = source;
  const present = await fileExists(path);
  if (!present && !source.create) {
    throw new PlugboardError('CONFIG_INVALID', 'The master key file that was configured does not exist.', {
      hint: 'Put the key there, or remove the setting to let the hub create a key.',
    });
  }
  const masterKey = await loadOrCreateMasterKey(path);
  const box = createEnvelopeSecretBox({ masterKey });
  const next = await pendingMasterKey(path);
  if (next !== undefined) box.adopt(next);
  return {
    box,
    taskKey: taskKeyOf(masterKey),
    made: present ? undefined : path,
    unfinished: next === undefined ? undefined : path,
  };
};

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

/** The store that the settings choose, with the key that opens its secrets. */
export const openStore = async (settings: Settings): Promise<OpenedStore> => {
  const found = await findKey(settings.masterKey);
  const secretBox = found.box;
  const store =
    settings.databaseUrl === undefined
      ? await openSqliteStore({ file: storeFile(settings.home), secretBox })
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
