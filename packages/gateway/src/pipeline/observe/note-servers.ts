import { type PlugboardError, type ServerId, toPlugboardError } from '@plugboard/contract';
import { afterwards, type CallStep } from '../../call/step.js';

/** Hears how a server was found: with an answer, or with a failure. */
export type NoteOutcome = (id: ServerId, error?: PlugboardError) => void;

/** What requests meet is the best evidence of how a server does. */
export const noteServers = (note: NoteOutcome): CallStep =>
  afterwards({
    answered: ({ route }, result) => {
      if (route?.kind === 'upstream') note(route.server.id);
      return result;
    },
    failed: ({ route, signal }, thrown) => {
      if (route?.kind === 'upstream' && !signal.aborted) note(route.server.id, toPlugboardError(thrown));
      throw thrown;
    },
  });
