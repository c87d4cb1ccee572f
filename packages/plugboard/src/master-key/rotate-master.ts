import { PlugboardError, type MasterKeyRotation } from '@plugboard/contract';
import {
  announceMasterKey,
  establishMasterKey,
  type RotateMaster,
  type RotatingSecretBox,
  type Store,
} from '@plugboard/registry';
import type { MasterKeySource } from '../settings/settings.js';

interface Sealed {
  readonly store: Pick<Store, 'seals'>;
  readonly box: RotatingSecretBox;
}

const MAX_PASSES = 10;

/**
 * Seals everything with the key of today. What was sealed with the old one just before is written meanwhile, so it is
 * looked through until nothing is left.
 */
const resealAll = async ({ store, box }: Sealed): Promise<MasterKeyRotation> => {
  let resealed = 0;
  for (let pass = 1; ; pass += 1) {
    const done = await store.seals.reseal(box);
    resealed += done.resealed;
    if ((done.resealed === 0 && pass > 1) || pass === MAX_PASSES) return { resealed, unreadable: done.unreadable };
  }
};

const cannotWriteEnvironment = (): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', 'The master key comes from the environment, which the hub cannot change.', {
    hint: 'Start it with the new key as PLUGBOARD_MASTER_KEY and the old one as PLUGBOARD_PREVIOUS_MASTER_KEY, run this command again, then drop the old one.',
  });

/** Replaces the master key while the hub serves. A crash in between is finished by the next start. */
export const masterKeyRotation = (opened: Sealed, source: MasterKeySource): RotateMaster => {
  let running: Promise<MasterKeyRotation> | undefined;
  const rotate = async (): Promise<MasterKeyRotation> => {
    if (source.from === 'environment') {
      if (source.previous === undefined) throw cannotWriteEnvironment();
      return resealAll(opened);
    }
    opened.box.adopt(await announceMasterKey(source.path));
    const done = await resealAll(opened);
    await establishMasterKey(source.path);
    return done;
  };
  return () => {
    running ??= rotate().finally(() => {
      running = undefined;
    });
    return running;
  };
};
