const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8000;

/** Tells of a change at once, and of those that follow in quick succession together, less and less often. */
export class ChangeThrottle {
  readonly #tell: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isPending = false;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  notice(): void {
    if (this.#timer !== undefined) {
      this.#isPending = true;
      return;
    }
    this.#tell();
    this.#pause(FIRST_PAUSE_MS);
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
      this.#tell();
      this.#pause(Math.min(pauseMs * 2, MAX_PAUSE_MS));
    }, pauseMs);
    this.#timer.unref();
  }
}
