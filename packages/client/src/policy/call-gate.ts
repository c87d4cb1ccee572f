/** The policies of a server for calls that need none of their waiting: in at once, or not this way. */
export interface CallGate {
  /** Takes a place when the server may be called now; whoever got one ends it with one of the others. */
  tryEnter(): boolean;
  /** The server answered: the place is free, and the server is well. */
  answered(): void;
  /** The place is free; how the server is was not found out. */
  leave(): void;
}

/** A place that a call already has when it comes to the policies. The first that asks takes it over. */
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
