import { nearest } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { isProfileId, PROFILE_IDS, type ProfileId } from '@plugboard/schema';

/** A provider or host by its name on the command line. */
export const parseProvider = (name: string): ProfileId => {
  if (isProfileId(name)) return name;
  const near = nearest(name, PROFILE_IDS);
  throw new PlugboardError('INVALID_ARGUMENT', `"${name}" is not a known provider.`, {
    hint: `${near === undefined ? '' : `Did you mean "${near}"? `}Known: ${PROFILE_IDS.join(', ')}.`,
  });
};
