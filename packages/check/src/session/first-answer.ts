import type { Deadline } from '../connection/deadline.js';
import type { Mailbox } from '../connection/mailbox.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import type { Link } from './link.js';

/** How long an answer may still be on its way when a later process has answered. */
const LATE_MS = 1_000;

/**
 * What `pick` finds among the first messages of a new process. A busy machine may keep any start waiting, so silence counts
 * against the server only when a process that was started later has answered meanwhile.
 */
export const firstAnswer = async <T, R>(
  { startControl }: Pick<Link, 'startControl'>,
  messages: Mailbox<T>,
  pick: (message: T) => R | undefined,
  deadline: Deadline,
): Promise<R | undefined> => {
  try {
    return await messages.until(pick, 0, deadline);
  } catch (error) {
    if (!(error instanceof NoAnswer) || startControl === undefined || deadline.signal?.aborted === true) throw error;
    if (!(await startControl())) {
      const detail = 'No other process answers either. The machine is too busy to start one.';
      throw new Unreachable(detail, 'a machine that is less busy');
    }
    return await messages.until(pick, 0, { ...deadline, ms: LATE_MS }).catch(() => {
      throw error;
    });
  }
};
