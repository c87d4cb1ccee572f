import type { Exchange } from './exchange.js';
import type { Unanswered } from './unanswered.js';

/** A request that stays without an answer, while the server answers others. */
export interface Silence {
  readonly method: string;
  readonly detail: string;
  readonly exchange: Exchange;
}

/** The requests that a server leaves unanswered: one cause, however many checks run into it. */
export class Silences {
  readonly #byMethod = new Map<string, Silence>();

  get all(): readonly Silence[] {
    return [...this.#byMethod.values()];
  }

  has(method: string): boolean {
    return this.#byMethod.has(method);
  }

  record({ method, message, exchange }: Unanswered): void {
    if (this.has(method)) return;
    this.#byMethod.set(method, { method, detail: message, exchange });
  }
}
