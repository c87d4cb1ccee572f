export interface PulseOptions {
  /** Asks the process anything; resolves when it answered. The signal ends the question. */
  readonly ask: (signal: AbortSignal) => Promise<void>;
  readonly lookMs?: number | undefined;
  readonly looks?: number | undefined;
}

const LOOK_MS = 1000;
/** More in a row without a sign of life, and the process is taken to be stopped. */
const LOOKS = 5;
/** A process that gave a sign of life within this time is taken to run. */
const FRESH_MS = 100;

/**
 * Whether the process that has requests of this one still runs. A process that ended closes its connections; one that is
 * stopped or hangs keeps them open and says nothing. While somebody waits and nothing is heard, it is asked.
 */
export class Pulse {
  readonly #options: PulseOptions;
  readonly #waiting = new Set<() => void>();
  #heardAt = -Infinity;
  /** Looks since something was heard. They are counted, since this process may itself have been stopped in between. */
  #silentLooks = 0;
  #timer: NodeJS.Timeout | undefined;
  #asking: AbortController | undefined;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Was it heard just now? */
  get isFresh(): boolean {
    return performance.now() - this.#heardAt < FRESH_MS;
  }

  /** The process gave a sign of life. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#silentLooks = 0;
  }

  /** @param giveUp runs when the process is taken to be stopped; returns what ends the watch */
  watch(giveUp: () => void): () => void {
    this.#waiting.add(giveUp);
    if (this.#timer === undefined) {
      this.#silentLooks = 0;
      this.#timer = setInterval(() => this.#look(), this.#options.lookMs ?? LOOK_MS).unref();
    }
    return () => this.#waiting.delete(giveUp);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#asking?.abort();
  }

  #look(): void {
    if (this.#waiting.size === 0) {
      this.stop();
      return;
    }
    this.#silentLooks += 1;
    if (this.#silentLooks > (this.#options.looks ?? LOOKS)) {
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      this.stop();
      for (const giveUp of waiting) giveUp();
    } else if (this.#silentLooks > 1) {
      void this.#ask();
    }
  }

  async #ask(): Promise<void> {
    if (this.#asking !== undefined) return;
    const asking = new AbortController();
    this.#asking = asking;
    try {
      await this.#options.ask(asking.signal);
      this.heard();
    } catch {
      // Nothing was heard.
    } finally {
      this.#asking = undefined;
    }
  }
}
