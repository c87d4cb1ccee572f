/** Work that several callers want at once is done once. It goes on when they leave: it may not be safe to stop. */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Promise<Result>>();

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const flying = this.#flights.get(key);
    if (flying !== undefined) return flying;
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#flights.values());
  }
}
