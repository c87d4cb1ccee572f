import { PlugboardError } from '@plugboard/contract';

/** The request left, and its answer did not come. */
export const unknownFate = (): PlugboardError =>
  new PlugboardError('AMBIGUOUS_DELIVERY', 'The connection to the hub broke while this request was in progress.', {
    hint: 'Check whether it was executed before you send it again.',
  });
