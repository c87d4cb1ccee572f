import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { PlugboardError } from '@plugboard/contract';
import {
  createEnvelopeSecretBox,
  loadOrCreateMasterKey,
  openPostgresStore,
  openSqliteStore,
  parseMasterKey,
  type Store,
} from '@plugboard/registry';
import type { MasterKeySource, Settings } from '../settings/settings.js';

export const storeFile = (home: string): string => join(home, 'plugboard.db');

const masterKey = async (source: MasterKeySource): Promise<Uint8Array> => {
  if (source.from === 'environment') return parseMasterKey(source.value);
  if (!source.create) {
    await access(source.path).catch((cause: unknown) => {
      throw new PlugboardError('CONFIG_INVALID', 'The master key file that was configured does not exist.', {
        hint: 'Put the key there, or leave the setting out to let the hub make a key of its own.',
        cause,
      });
    });
  }
  return loadOrCreateMasterKey(source.path);
};

/** The store that the settings choose, with the key that opens its secrets. */
export const openStore = async (settings: Settings): Promise<Store> => {
  const secretBox = createEnvelopeSecretBox({ masterKey: await masterKey(settings.masterKey) });
  return settings.databaseUrl === undefined
    ? openSqliteStore({ file: storeFile(settings.home), secretBox })
    : openPostgresStore({ url: settings.databaseUrl, secretBox });
};
