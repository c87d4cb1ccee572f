import { PlugboardError } from '@plugboard/contract';
import type { ProfileId } from '@plugboard/schema';

/** Tools that were adapted to one provider may be rejected by another. */
export const requireProvider = (given: ProfileId, accepted: readonly ProfileId[]): void => {
  if (accepted.includes(given)) return;
  throw new PlugboardError(
    'INVALID_ARGUMENT',
    `These tools were made for ${given}, not for ${accepted.join(' or ')}.`,
    {
      hint: `Create them with { provider: '${accepted[0]}' }.`,
    },
  );
};
