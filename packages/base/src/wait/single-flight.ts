import { type AbortFailure, abortable } from './abortable.js';

export interface SingleFlightOptions {
  /** What becomes of work that nobody waits for any more. It is finished unless it is safe to stop. */
  readonly abandoned?: 'finish' | 'abort';
  /** The reason of an abort. */
  readonly cancelled?: () => unknown;
  /** What a caller gets whose own signal ended its wait; the reason of the abort when left out. */
  readonly failure?: AbortFailure;
}

interface Flight<Result> {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that several callers want at the same time is done once. */
export class SingleFlight<Result> {
  readonly #options: SingleFlightOptions;
  readonly #flights = new Map<string, Flight<Result>>();
  /** All that have not ended yet, those that were aborted included. */
  readonly #unsettled = new Set<Promise<Result>>();

  constructor(options: SingleFlightOptions = {}) {
    this.#options = options;
  }

  async run(key: string, start: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const flight = this.#flights.get(key) ?? this.#start(key, start);
    flight.waiting += 1;
    try {
      return await (signal === undefined ? flight.result : abortable(flight.result, signal, this.#options.failure));
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0 && this.#options.abandoned === 'abort') this.#abandon(key, flight);
    }
  }

  /** Resolves when the work that is in progress, if any, is over. */
  async settled(key: string): Promise<void> {
    await this.#flights.get(key)?.result.catch(() => undefined);
  }

  /** Resolves when nothing is in progress any more. */
  async allSettled(): Promise<void> {
    await Promise.allSettled(this.#unsettled);
  }

  async abort(key: string): Promise<void> {
    this.#flights.get(key)?.controller.abort(this.#options.cancelled?.());
    await this.settled(key);
  }

  async abortAll(): Promise<void> {
    for (const { controller } of this.#flights.values()) controller.abort(this.#options.cancelled?.());
    await this.allSettled();
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const controller = new AbortController();
    const flight: Flight<Result> = { result: start(controller.signal), controller, waiting: 0 };
    this.#flights.set(key, flight);
    this.#unsettled.add(flight.result);
    const onEnd = (): void => {
      this.#unsettled.delete(flight.result);
      this.#forget(key, flight);
    };
    flight.result.then(onEnd, onEnd);
    return flight;
  }

  // A newcomer must not join work that is being aborted.
  #abandon(key: string, flight: Flight<Result>): void {
    this.#forget(key, flight);
    flight.controller.abort(this.#options.cancelled?.());
  }

  #forget(key: string, flight: Flight<Result>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
