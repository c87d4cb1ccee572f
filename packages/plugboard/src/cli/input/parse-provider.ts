import { PlugboardError } from '@plugboard/contract';
import { isProfileId, PROFILE_IDS, type ProfileId } from '@plugboard/schema';
import { didYouMean } from '../../terminal/did-you-mean.js';

/** A provider or host by its name on the command line. */
export const parseProvider = (name: string): ProfileId => {
  if (isProfileId(name)) return name;
  throw new PlugboardError('INVALID_ARGUMENT', `"${name}" is not a known provider.`, {
    hint: didYouMean(name, PROFILE_IDS, `Known: ${PROFILE_IDS.join(', ')}.`),
  });
};
