import { NoAnswer } from '../connection/no-answer.js';
import type { Exchange } from './exchange.js';

/** A server that went away, or fell silent for good, while it was asked. */
export interface Death {
  /** How it ended, in a sentence. */
  readonly detail: string;
  /** What it got last, and how to send that again. */
  readonly exchange: Exchange;
}

/** The process ended in place of an answer. */
export class Gone extends NoAnswer {
  readonly death: Death;

  constructor(death: Death) {
    super(death.detail, death.exchange.sent, death.exchange.received);
    this.death = death;
  }
}
