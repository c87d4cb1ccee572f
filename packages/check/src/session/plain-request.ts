import { NoAnswer } from '../connection/no-answer.js';
import { Gone } from './death.js';
import type { Exchange, Recipe } from './exchange.js';
import type { RequestOptions } from './session.js';
import { Unanswered } from './unanswered.js';

/** What may take long by its nature: work, and streams. */
const LONG = /^(?:tools\/call|tasks\/|subscriptions\/|initialize$)/u;

const isPlain = (method: string, { id, meta, headers, bare }: RequestOptions): boolean =>
  !LONG.test(method) && [id, meta, headers, bare].every((one) => one === undefined);

/** How the session that asked would send the same text again. */
export interface Asking {
  readonly isOpen: boolean;
  readonly connection: number;
  readonly recipe: () => Recipe | undefined;
}

/** Says of a missing answer which request it belongs to, when an ordinary one in an open conversation stayed without. */
export const answerOrName = async <T>(
  answer: Promise<T>,
  method: string,
  options: RequestOptions,
  { isOpen, connection, recipe }: Asking,
): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof NoAnswer) || error instanceof Gone || !isOpen || !isPlain(method, options)) throw error;
    const { message, sent, received } = error;
    const exchange: Exchange = { sent, received, connection, recipe: recipe() };
    throw new Unanswered(message, method, exchange);
  }
};
