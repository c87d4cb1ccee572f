const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8000;

export interface ChangeThrottleOptions {
  readonly tell: () => void;
  readonly firstPauseMs?: number | undefined;
  readonly maxPauseMs?: number | undefined;
}

/** Tells of a change at once, and of those that follow in quick succession together, less and less often. */
export class ChangeThrottle {
  readonly #options: ChangeThrottleOptions;
  #timer: NodeJS.Timeout | undefined;
  #isPending = false;

  constructor(options: ChangeThrottleOptions) {
    this.#options = options;
  }

  notice(): void {
    if (this.#timer !== undefined) {
      this.#isPending = true;
      return;
    }
    this.#options.tell();
    this.#pause(this.#options.firstPauseMs ?? FIRST_PAUSE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isPending = false;
  }

  #pause(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isPending) return;
      this.#isPending = false;
      this.#options.tell();
      this.#pause(Math.min(pauseMs * 2, this.#options.maxPauseMs ?? MAX_PAUSE_MS));
    }, pauseMs);
    this.#timer.unref();
  }
}
