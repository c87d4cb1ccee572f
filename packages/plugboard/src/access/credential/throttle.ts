import { createHash } from 'node:crypto';
import { PlugboardError } from '@plugboard/contract';

export interface ThrottleOptions {
  readonly now: () => number;
  /** How many wrong credentials one address may send within the window, and how many may be tried for one key. */
  readonly maxFailures?: number | undefined;
  readonly windowMs?: number | undefined;
}

interface Failures {
  readonly since: number;
  count: number;
}

const MAX_REMEMBERED = 10_000;
/** How a key begins finds it in the store, and so tells which key somebody tries to guess. */
const KEY_PREFIX_LENGTH = 15;
const IPV6_NETWORK = /^(?:[0-9a-f]{0,4}:){4}/iu;

/** One host has a whole /64 of IPv6 addresses to send from. */
const networkOf = (address: string): string => IPV6_NETWORK.exec(address)?.[0] ?? address;

const nameOf = (credential: string): string =>
  credential.startsWith('pb_')
    ? credential.slice(0, KEY_PREFIX_LENGTH)
    : createHash('sha256').update(credential).digest('base64');

/**
 * Throttles guessing of credentials, by address and by key. It is asked only about credentials that turned out to
 * be wrong: right ones are never held up by what others send.
 */
export class Throttle {
  readonly #now: () => number;
  readonly #maxFailures: number;
  readonly #windowMs: number;
  readonly #failures = new Map<string, Failures>();

  constructor({ now, maxFailures = 20, windowMs = 60_000 }: ThrottleOptions) {
    this.#now = now;
    this.#maxFailures = maxFailures;
    this.#windowMs = windowMs;
  }

  /** Throws RATE_LIMITED when there were too many from this address, or for this key. */
  noteWrong(address: string, credential: string): void {
    const waits = [`address ${networkOf(address)}`, `key ${nameOf(credential)}`].map((subject) => this.#count(subject));
    const retryAfterMs = Math.max(...waits);
    if (retryAfterMs <= 0) return;
    throw new PlugboardError('RATE_LIMITED', 'Too many wrong credentials were sent.', {
      hint: 'Wait, then send a valid one. Valid credentials are accepted at any time.',
      retryAfterMs,
    });
  }

  /** How long to wait for the next attempt; 0 while there are attempts left. */
  #count(subject: string): number {
    const now = this.#now();
    const known = this.#failures.get(subject);
    if (known === undefined || known.since + this.#windowMs <= now) {
      this.#failures.delete(subject);
      const oldest = this.#failures.keys().next();
      if (this.#failures.size >= MAX_REMEMBERED && oldest.done !== true) this.#failures.delete(oldest.value);
      this.#failures.set(subject, { since: now, count: 1 });
      return 0;
    }
    known.count += 1;
    return known.count > this.#maxFailures ? known.since + this.#windowMs - now : 0;
  }
}
