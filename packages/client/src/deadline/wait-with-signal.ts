import { abortable } from '@plugboard/base';
import type { Delivery } from '../error/client-error.js';
import { abortedError } from '../error/aborted-error.js';

/** Waits for a promise. An abort ends the wait, not the work. */
export const waitWithSignal = <T>(work: Promise<T>, signal: AbortSignal, delivery: Delivery): Promise<T> =>
  abortable(work, signal, () => abortedError(signal, delivery));
