export interface UnsavedOutcomesOptions {
  readonly most?: number | undefined;
  /** Of all that wait together. */
  readonly mostChars?: number | undefined;
}

const MOST = 1000;
const MOST_CHARS = 32 * 1024 * 1024;

/** What waits in memory until the store takes it. A store that is away must not cost the hub its memory. */
export class UnsavedOutcomes {
  readonly #most: number;
  readonly #mostChars: number;
  #count = 0;
  #chars = 0;

  constructor({ most = MOST, mostChars = MOST_CHARS }: UnsavedOutcomesOptions = {}) {
    this.#most = most;
    this.#mostChars = mostChars;
  }

  get count(): number {
    return this.#count;
  }

  /** Undefined when too much waits already; else what ends the wait. */
  enter(chars: number): (() => void) | undefined {
    if (this.#count >= this.#most || this.#chars + chars > this.#mostChars) return undefined;
    this.#count += 1;
    this.#chars += chars;
    return () => {
      this.#count -= 1;
      this.#chars -= chars;
    };
  }
}
