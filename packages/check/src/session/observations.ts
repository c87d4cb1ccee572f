import type { JsonObject } from '../connection/json.js';
import type { Exchange, Recipe } from './exchange.js';

/** A message of the server, and what it answers. */
export interface Observation {
  readonly message: JsonObject;
  readonly revision: string;
  /** The method of the request that it answers. */
  readonly answers: string | undefined;
  readonly sent: JsonObject | undefined;
  readonly connection: number;
  /** How to have it said again, for an answer. */
  readonly recipe?: Recipe | undefined;
}

/** What was observed as the evidence of a finding. */
export const observedExchange = ({ sent, message, connection, recipe }: Observation): Exchange => ({
  sent: JSON.stringify(sent ?? {}),
  received: JSON.stringify(message).slice(0, 8_192),
  connection,
  recipe,
});

/** Everything that the server said in a run to well-formed requests. */
export class Observations {
  readonly #all: Observation[] = [];

  record(observation: Observation): void {
    this.#all.push(observation);
  }

  get all(): readonly Observation[] {
    return this.#all;
  }
}
