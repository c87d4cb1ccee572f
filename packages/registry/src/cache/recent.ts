import type { Clock } from '../port/clock.js';
import { soon } from './soon.js';

export interface RecentOptions<Value> {
  readonly load: () => Promise<Value>;
  readonly clock: Clock;
  /** How long a value counts as recent: so long may another process have changed it unseen. */
  readonly maxAgeMs: number;
  /** How long readers wait for the store before they take an older value. */
  readonly patienceMs?: number | undefined;
}

/** After a failure the store is asked again after this time; until then nobody waits. */
const RETRY_MS = 2000;
/** A store that fails for longer than this leaves readers without a value. */
const MAX_STALE_MS = 10 * 60_000;

/**
 * Something of the store in memory. Readers wait only when it is old, and then all wait for one reading. A store that fails
 * or hangs does not stop them: for ten minutes they get what was read last.
 */
export class Recent<Value> {
  readonly #options: RecentOptions<Value>;
  #value: { readonly value: Value; readonly at: number } | undefined;
  #loading: Promise<Value> | undefined;
  #failedAt: number | undefined;

  constructor(options: RecentOptions<Value>) {
    this.#options = options;
  }

  /** As last read, however long ago; undefined before the first reading. */
  get last(): Value | undefined {
    return this.#value?.value;
  }

  get(): Value | Promise<Value> {
    const now = this.#options.clock.now();
    const known = this.#value;
    if (known === undefined || now - known.at >= MAX_STALE_MS) return (this.#loading ??= this.#load());
    if (now - known.at < this.#options.maxAgeMs) return known.value;
    if (this.#failedAt !== undefined && now - this.#failedAt < RETRY_MS) return known.value;
    return this.#loadedOr(known.value);
  }

  /** Reads again, after our own change. */
  async reload(): Promise<Value> {
    // One that is in progress may have begun before the change.
    await this.#loading?.catch(() => undefined);
    return (this.#loading ??= this.#load());
  }

  /** What the store has, or the older value if it does not answer soon. */
  async #loadedOr(older: Value): Promise<Value> {
    const found = await soon((this.#loading ??= this.#load()), this.#options.patienceMs);
    if (found !== undefined) return found.value;
    this.#failedAt = this.#options.clock.now();
    return older;
  }

  async #load(): Promise<Value> {
    try {
      const at = this.#options.clock.now();
      const value = await this.#options.load();
      this.#value = { value, at };
      this.#failedAt = undefined;
      return value;
    } finally {
      this.#loading = undefined;
    }
  }
}
