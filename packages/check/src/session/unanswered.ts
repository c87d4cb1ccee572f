import { NoAnswer } from '../connection/no-answer.js';
import type { Exchange } from './exchange.js';

/** A request that any server answers soon, in an open conversation, stayed without an answer. */
export class Unanswered extends NoAnswer {
  readonly method: string;
  /** What was sent, and how to send it again. */
  readonly exchange: Exchange;

  constructor(message: string, method: string, exchange: Exchange) {
    super(message, exchange.sent, exchange.received);
    this.method = method;
    this.exchange = exchange;
  }
}
