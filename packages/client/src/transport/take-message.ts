import type { Classified } from '@plugboard/wire';
import type { PendingAnswers } from './pending-answers.js';
import type { TransportEvents } from './transport.js';

/** Gives a message of a shared channel to the request that it answers or belongs to, else to the listener. */
export const takeMessage = (
  classified: Classified,
  pending: PendingAnswers,
  { onIncoming, onNoise }: Pick<TransportEvents, 'onIncoming'> & { readonly onNoise: (reason: string) => void },
): void => {
  switch (classified.kind) {
    case 'result':
    case 'failure':
      pending.answer(classified.message);
      break;
    case 'request':
    case 'notification':
      if (!pending.deliver(classified)) onIncoming(classified);
      break;
    case 'invalid':
      onNoise(classified.reason);
      break;
  }
};
