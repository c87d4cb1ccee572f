import type { Clock } from '../port/clock.js';

export interface RecentOptions<Value> {
  readonly load: () => Promise<Value>;
  readonly clock: Clock;
  /** How long a value counts as recent: so long may another process have changed it unseen. */
  readonly maxAgeMs: number;
}

/** Something of the store in memory. Readers wait only when it is old, and then all wait for one reading. */
export class Recent<Value> {
  readonly #options: RecentOptions<Value>;
  #value: { readonly value: Value; readonly at: number } | undefined;
  #loading: Promise<Value> | undefined;

  constructor(options: RecentOptions<Value>) {
    this.#options = options;
  }

  /** As last read, however long ago; undefined before the first reading. */
  get last(): Value | undefined {
    return this.#value?.value;
  }

  get(): Value | Promise<Value> {
    const { clock, maxAgeMs } = this.#options;
    if (this.#value !== undefined && clock.now() - this.#value.at < maxAgeMs) return this.#value.value;
    return (this.#loading ??= this.#load());
  }

  /** Reads again, after our own change. */
  async reload(): Promise<Value> {
    // One that is in progress may have begun before the change.
    await this.#loading?.catch(() => undefined);
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<Value> {
    try {
      const at = this.#options.clock.now();
      const value = await this.#options.load();
      this.#value = { value, at };
      return value;
    } finally {
      this.#loading = undefined;
    }
  }
}
