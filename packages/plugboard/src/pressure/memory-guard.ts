import { getHeapStatistics } from 'node:v8';
import { PlugboardError } from '@plugboard/contract';
import type { Logger } from '../log/logger.js';

export interface MemoryGuardOptions {
  /** What may be in use before new work is rejected. */
  readonly budgetBytes: number;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly collect: () => void;
  /** How large messages were, all that were in progress together, since this was last asked. */
  readonly messagePeak?: (() => number) | undefined;
  /** What is in use now, garbage included. */
  readonly usedBytes?: (() => number) | undefined;
  readonly now?: (() => number) | undefined;
}

const LOOK_MS = 250;
/** Below this share of the budget new work is taken again. */
const RELIEF = 0.85;
/** Collecting takes tens of milliseconds: it is worth that only now and then. */
const COLLECT_PAUSE_MS = 2000;
/** So much garbage is given back when nothing needs the memory. */
const IDLE_GROWTH = 48 * 1024 * 1024;
const IDLE_MS = 10_000;
/** Messages of so many bytes leave garbage that is worth collecting, wherever it lies. */
const LARGE_MESSAGES = 8 * 1024 * 1024;
const RETRY_MS = 2000;

/** `process.memoryUsage()` also reads a file of the system, which fails when the process has no descriptors left. */
const inUse = (): number => {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
};

/**
 * Watches how much memory is in use. Beyond the budget garbage is collected; when that does not help, new work is rejected
 * until it does. Memory that a burst took is given back once it is over.
 */
export class MemoryGuard {
  readonly #options: MemoryGuardOptions;
  readonly #used: () => number;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #isTight = false;
  /** What was in use after the last collection. */
  #settled: number;
  #collectedAt = Number.NEGATIVE_INFINITY;
  #grewAt: number | undefined;
  /** When there were last large messages that nobody has cleaned up after. */
  #largeAt: number | undefined;

  constructor(options: MemoryGuardOptions) {
    this.#options = options;
    this.#used = options.usedBytes ?? inUse;
    this.#now = options.now ?? (() => performance.now());
    this.#settled = this.#used();
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  get isTight(): boolean {
    return this.#isTight;
  }

  get budgetBytes(): number {
    return this.#options.budgetBytes;
  }

  /** Throws OVERLOADED while there is no memory for new work. */
  admit(): void {
    if (!this.#isTight) return;
    throw new PlugboardError('OVERLOADED', 'The hub is out of memory for new work.', {
      hint: {
        api: 'Try again soon. An operator can raise bounds.memoryMb, or find the caller that uses it with GET /v1/audit.',
        cli: 'Try again soon. Raise bounds.memoryMb, or find the caller that uses it: plugboard audit',
      },
      details: { limit: 'hub', refused_by: 'plugboard' },
      retryAfterMs: RETRY_MS,
    });
  }

  look(): void {
    let used = this.#used();
    if ((this.#options.messagePeak?.() ?? 0) >= LARGE_MESSAGES) this.#largeAt = this.#now();
    if (used > this.#options.budgetBytes) used = this.#collect(used);
    else this.#giveBack(used);
    const limit = this.#options.budgetBytes * (this.#isTight ? RELIEF : 1);
    if (used > limit === this.#isTight) return;
    this.#isTight = !this.#isTight;
    const fields = { used_mb: Math.round(used / 1e6), budget_mb: Math.round(this.#options.budgetBytes / 1e6) };
    if (this.#isTight) this.#options.log.warn('Memory is short: new work is rejected.', fields);
    else this.#options.log.info('Memory is available again: the hub accepts new work.', fields);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #collect(used: number): number {
    const now = this.#now();
    if (now - this.#collectedAt < COLLECT_PAUSE_MS) return used;
    this.#options.collect();
    this.#collectedAt = this.#now();
    this.#settled = this.#used();
    this.#grewAt = undefined;
    this.#largeAt = undefined;
    return this.#settled;
  }

  /** Some time after a burst, and not while it lasts. */
  #giveBack(used: number): void {
    const now = this.#now();
    if (this.#largeAt !== undefined && now - this.#largeAt >= IDLE_MS) {
      this.#collect(used);
      return;
    }
    if (used < this.#settled + IDLE_GROWTH) {
      this.#settled = Math.min(this.#settled, used);
      this.#grewAt = undefined;
      return;
    }
    this.#grewAt ??= now;
    if (now - this.#grewAt >= IDLE_MS) this.#collect(used);
  }
}
