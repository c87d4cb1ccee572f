import { type PlugboardError, type ServerId, toPlugboardError } from '@plugboard/contract';
import type { CallStep } from '../../call/step.js';

/** Hears how a server was found: with an answer, or with a failure. */
export type NoteOutcome = (id: ServerId, error?: PlugboardError) => void;

/** What requests meet is the best evidence of how a server does. */
export const noteServers =
  (note: NoteOutcome): CallStep =>
  async (call, next) => {
    if (call.route?.kind !== 'upstream') return next(call);
    const { id } = call.route.server;
    try {
      const result = await next(call);
      note(id);
      return result;
    } catch (thrown) {
      if (!call.signal.aborted) note(id, toPlugboardError(thrown));
      throw thrown;
    }
  };
