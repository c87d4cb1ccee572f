import { PlugboardError } from '@plugboard/contract';

export interface TurnsOptions {
  readonly atOnce: number;
  readonly waiting: number;
  /** The request that lists the runs. */
  readonly listed: string;
}

const RETRY_AFTER_MS = 10_000;

/** Lets so many things run at once; the others wait in the order in which they came. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Throws RATE_LIMITED when too many wait already. */
  assertRoom(): void {
    if (this.#queue.length < this.#options.waiting) return;
    throw new PlugboardError('RATE_LIMITED', 'Too many runs are waiting.', {
      hint: {
        api: `Wait until some of them have ended, or cancel them: GET ${this.#options.listed} lists them.`,
        cli: 'Wait until some of them have ended, then try again.',
      },
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  /** Runs the work when it is its turn, or not at all when the signal fires before. */
  async take(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    if (this.#running < this.#options.atOnce) this.#running += 1;
    else if (!(await this.#turn(signal))) return;
    try {
      await work();
    } finally {
      // The place is handed on, so that nobody who comes now gets it first.
      const next = this.#queue.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = (): void => {
        const at = this.#queue.indexOf(go);
        if (at !== -1) this.#queue.splice(at, 1);
        resolve(false);
      };
      if (signal.aborted) {
        resolve(false);
        return;
      }
      this.#queue.push(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
