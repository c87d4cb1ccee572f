import { createHash } from 'node:crypto';
import { PlugboardError } from '@plugboard/contract';

export interface ThrottleOptions {
  readonly now: () => number;
  /** How many wrong credentials one address may send within the window. */
  readonly maxFailures?: number | undefined;
  readonly windowMs?: number | undefined;
}

interface Failures {
  readonly since: number;
  count: number;
}

const MAX_REMEMBERED = 10_000;

const fingerprint = (credential: string): string => createHash('sha256').update(credential).digest('base64');

/**
 * Slows down whoever tries credentials out. Those that were right lately are not held up by wrong ones from the same
 * address: many callers may stand behind one proxy.
 */
export class Throttle {
  readonly #now: () => number;
  readonly #maxFailures: number;
  readonly #windowMs: number;
  readonly #failures = new Map<string, Failures>();
  readonly #right = new Set<string>();

  constructor({ now, maxFailures = 20, windowMs = 60_000 }: ThrottleOptions) {
    this.#now = now;
    this.#maxFailures = maxFailures;
    this.#windowMs = windowMs;
  }

  /** Throws RATE_LIMITED when the address has sent too many wrong ones. */
  assertMayTry(address: string, credential: string): void {
    const failures = this.#failures.get(address);
    if (failures === undefined || failures.count < this.#maxFailures) return;
    const retryAfterMs = failures.since + this.#windowMs - this.#now();
    if (retryAfterMs <= 0) {
      this.#failures.delete(address);
      return;
    }
    if (this.#right.has(fingerprint(credential))) return;
    throw new PlugboardError('RATE_LIMITED', 'Too many wrong credentials came from this address.', {
      hint: 'Wait, then send the right one.',
      retryAfterMs,
    });
  }

  noteWrong(address: string, credential: string): void {
    this.#right.delete(fingerprint(credential));
    const known = this.#failures.get(address);
    if (known !== undefined && known.since + this.#windowMs > this.#now()) {
      known.count += 1;
      return;
    }
    if (this.#failures.size >= MAX_REMEMBERED) this.#failures.clear();
    this.#failures.set(address, { since: this.#now(), count: 1 });
  }

  noteRight(address: string, credential: string): void {
    // Only where somebody tries things out does it matter who was right.
    if (!this.#failures.has(address)) return;
    if (this.#right.size >= MAX_REMEMBERED) this.#right.clear();
    this.#right.add(fingerprint(credential));
  }
}
