/** Events of work that runs side by side, in the order in which they happen. */
export class EventQueue<Event> {
  readonly #events: Event[] = [];
  #wake: () => void = () => undefined;

  readonly push = (event: Event): void => {
    this.#events.push(event);
    this.#wake();
  };

  /** Yields what is pushed until the work ends, and returns its result. */
  async *until<Result>(work: Promise<Result>): AsyncGenerator<Event, Result> {
    let ended = false;
    const end = work.finally(() => {
      ended = true;
      this.#wake();
    });
    // A failure is thrown below; until then it is not unhandled.
    end.catch(() => undefined);
    for (;;) {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) yield event;
      if (ended) return end;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (ended || this.#events.length > 0) resolve();
      });
    }
  }
}
