import { randomBytes } from 'node:crypto';
import { copyFile, chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlugboardError } from '@plugboard/contract';
import { createEnvelopeSecretBox, type MovedRows, moveStore, openSqliteStore } from '@plugboard/registry';
import type { Settings } from '../settings/settings.js';
import { keyFileOf, presentKey, readKeyFile, writeNewKey } from '../master-key/backup-key.js';
import { storePlace } from './open-store.js';

export interface Restored {
  readonly rows: MovedRows;
  /** `present`: the hub had the key already. `missing`: no secret needs one. */
  readonly key: 'present' | 'restored' | 'missing';
}

const OWNER_ONLY = 0o600;
const KEY_BYTES = 32;

const unread = (cause: unknown): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'The backup file cannot be read.', {
    hint: 'Check its name and permissions.',
    cause,
  });

const noKey = (): PlugboardError =>
  new PlugboardError(
    'CONFIG_INVALID',
    'The backup contains secrets, and the master key that decrypts them is missing.',
    {
      hint: 'Put the key into the home as master.key, beside the backup as FILE.key, or set PLUGBOARD_MASTER_KEY.',
    },
  );

const wrongKey = (): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', 'The master key here is not the one that encrypted the secrets of the backup.', {
    hint: 'Restore with the key of the hub that was backed up. Nothing was changed.',
  });

/** Throws when the secrets of a backup could never be opened. */
const assertOpens = async (file: string, key: Uint8Array | undefined): Promise<void> => {
  const box = createEnvelopeSecretBox({ masterKey: key ?? new Uint8Array(randomBytes(KEY_BYTES)) });
  const store = await openSqliteStore({ file, secretBox: box });
  try {
    const { total, foreign } = await store.seals.count(box);
    if (total > 0 && foreign === total) throw key === undefined ? noKey() : wrongKey();
  } finally {
    await store.close();
  }
};

/** A copy that may be brought to the schema of this program, so that the backup stays as it is. */
const stage = async (file: string, directory: string): Promise<string> => {
  const staged = join(directory, 'backup.db');
  await copyFile(file, staged).catch((thrown: unknown) => {
    throw unread(thrown);
  });
  await chmod(staged, OWNER_ONLY);
  return staged;
};

/** Fills the empty store that the settings choose with a backup of either kind of store, compared row by row. */
export const restoreStore = async (settings: Settings, file: string, signal: AbortSignal): Promise<Restored> => {
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-restore-'));
  try {
    const staged = await stage(file, directory);
    const own = await presentKey(settings.masterKey);
    const key = own ?? (await readKeyFile(keyFileOf(file)));
    await assertOpens(staged, key);
    await mkdir(settings.home, { recursive: true, mode: 0o700 });
    const source = settings.masterKey;
    // Before the rows: what starts on this home after an interruption finds this key, and does not create another one.
    const onBegin =
      own === undefined && key !== undefined && source.from !== 'environment'
        ? () => writeNewKey(source.path, key)
        : undefined;
    const rows = await moveStore({ from: { file: staged }, to: storePlace(settings), signal, onBegin });
    if (own !== undefined) return { rows, key: 'present' };
    return { rows, key: onBegin === undefined ? 'missing' : 'restored' };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
