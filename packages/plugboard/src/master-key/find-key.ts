import { hkdfSync } from 'node:crypto';
import { fileExists } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import {
  createEnvelopeSecretBox,
  loadOrCreateMasterKey,
  parseMasterKey,
  pendingMasterKey,
  type RotatingSecretBox,
} from '@plugboard/registry';
import type { MasterKeySource } from '../settings/settings.js';

const TASK_KEY_BYTES = 32;

const taskKeyOf = (masterKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, '', 'plugboard task ids', TASK_KEY_BYTES));

export interface FoundKey {
  readonly box: RotatingSecretBox;
  /** Signs the ids of tasks that clients keep: the same after a restart, and for all hubs with this master key. */
  readonly taskKey: Uint8Array;
  /** The file that was made for this start. */
  readonly made?: string | undefined;
  /** A rotation was interrupted: the key in this file is to be finished with. */
  readonly unfinished?: string | undefined;
}

/** The key that the settings choose; a file is created when it may be. */
export const findKey = async (source: MasterKeySource): Promise<FoundKey> => {
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
