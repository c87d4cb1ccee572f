import { open, readFile } from 'node:fs/promises';
import { fileExists } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { parseMasterKey, pendingMasterKey } from '@plugboard/registry';
import type { MasterKeySource } from '../settings/settings.js';

const OWNER_ONLY = 0o600;

/** Where the master key of a backup is, when it was asked for. */
export const keyFileOf = (backup: string): string => `${backup}.key`;

/** Never overwrites: a key that is lost takes all secrets with it. */
export const writeNewKey = async (path: string, key: Uint8Array): Promise<void> => {
  const file = await open(path, 'wx', OWNER_ONLY).catch((cause: unknown) => {
    throw new PlugboardError('CONFLICT', `The key file ${path} cannot be created.`, {
      hint: 'Remove the file in its place, or allow this program to write there.',
      cause,
    });
  });
  try {
    await file.writeFile(`${Buffer.from(key).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** The key in this file; undefined when there is none. */
export const readKeyFile = async (path: string): Promise<Uint8Array | undefined> => {
  return (await fileExists(path)) ? parseMasterKey(await readFile(path, 'utf8')) : undefined;
};

/** The key that a hub with these settings would use; undefined when it would create one. */
export const presentKey = (source: MasterKeySource): Promise<Uint8Array | undefined> =>
  source.from === 'environment' ? Promise.resolve(parseMasterKey(source.value.reveal())) : readKeyFile(source.path);

/** Writes the master key beside the backup, readable by its owner only. */
export const writeBackupKey = async (source: MasterKeySource, path: string): Promise<void> => {
  if (source.from !== 'environment' && (await pendingMasterKey(source.path)) !== undefined) {
    throw new PlugboardError('CONFLICT', 'A rotation of the master key was interrupted.', {
      hint: 'Start the hub: it finishes the rotation. Then back up again.',
    });
  }
  const key = await presentKey(source);
  if (key === undefined) {
    throw new PlugboardError('NOT_FOUND', 'This hub has no master key yet.', {
      hint: 'Back up without the key, or start the hub once.',
    });
  }
  await writeNewKey(path, key);
};
