import { anySignal } from '../connection/any-signal.js';
import { pause } from '../connection/deadline.js';
import type { MessageId } from '../connection/json.js';
import { NoAnswer } from '../connection/no-answer.js';
import { Gone } from './death.js';
import type { Link } from './link.js';
import type { RequestOptions, Session } from './session.js';

const CANCEL_MS = 2_000;

/** Ends the wait for one request: the end of the run, or the signal of the request. */
export const waitSignal = (link: Link, { signal }: Pick<RequestOptions, 'signal'>): AbortSignal =>
  signal === undefined ? link.signal : anySignal(link.signal, signal);

/** The answer; when it stays out, the server is told that nobody waits for it any more. */
export const orTellCancelled = async <T>(
  answer: Promise<T>,
  id: MessageId,
  session: Pick<Session, 'era' | 'transport' | 'notify'>,
): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    // In the modern era the closed connection is the cancellation.
    const isTold = session.era === 'modern' && session.transport === 'streamable-http';
    if (!(error instanceof NoAnswer) || error instanceof Gone || isTold) throw error;
    const params = { requestId: id, reason: 'The client no longer waits for the response.' };
    const told = session.notify('notifications/cancelled', params).catch(() => undefined);
    await Promise.race([told, pause(CANCEL_MS)]);
    throw error;
  }
};
