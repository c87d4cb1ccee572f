import type { Arrival } from '../wire/arrival.js';
import type { Reply } from '../wire/reply.js';
import type { Reading } from './reading.js';

/** What a route beside the model itself may use: ids, and the model for the requests of a batch. */
export interface SideContext {
  readonly reading: Reading;
  readonly id: (prefix: string) => string;
  /** Answers a request of a batch as the API at this path would. */
  readonly complete: (path: string, body: unknown, headers: Arrival['headers']) => Promise<Reply>;
}

export interface SideRoute {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Groups of the pattern arrive as arguments. */
  readonly path: RegExp;
  readonly answer: (arrival: Arrival, context: SideContext, ...groups: readonly string[]) => Reply | Promise<Reply>;
}
