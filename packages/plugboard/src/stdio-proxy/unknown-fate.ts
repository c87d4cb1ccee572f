import { PlugboardError } from '@plugboard/contract';

/** The request left, and its answer did not come. */
export const unknownFate = (): PlugboardError =>
  new PlugboardError('AMBIGUOUS_DELIVERY', 'The hub went away while it worked on this request.', {
    hint: 'Find out whether it was executed before you send it again.',
  });
