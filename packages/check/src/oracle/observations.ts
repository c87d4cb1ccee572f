import type { JsonObject } from '../connection/json.js';

/** A message of the server, and what it answers. */
export interface Observation {
  readonly message: JsonObject;
  readonly revision: string;
  /** The method of the request that it answers. */
  readonly answers: string | undefined;
  readonly sent: JsonObject | undefined;
  readonly connection: number;
}

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
