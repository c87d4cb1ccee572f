/** The policies of a server for the fast path: a call is admitted at once, or takes the full path. */
export interface CallGate {
  /** Takes a place when the server may be called now. Give it back with `answered` or `leave`. */
  tryEnter(): boolean;
  /** The server answered: frees the place, and counts as a success. */
  answered(): void;
  /** Frees the place without a result. */
  leave(): void;
}

/** A place that a call already has when it reaches the policies. The first policy that asks takes it. */
export class HeldPlace {
  /** Since when, on the clock of performance.now(). */
  readonly since: number;
  #held = true;

  constructor(since = performance.now()) {
    this.since = since;
  }

  take(): boolean {
    const held = this.#held;
    this.#held = false;
    return held;
  }
}
