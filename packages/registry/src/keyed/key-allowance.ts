import { PlugboardError } from '@plugboard/contract';

/** What requests with an idempotency key may leave in the store within one period. */
export interface Allowance {
  readonly keys: number;
  /** Of responses that are kept. */
  readonly chars: number;
}

export interface KeyAllowanceOptions {
  /** As long as outcomes are kept. */
  readonly periodMs: number;
  readonly perCaller?: Allowance | undefined;
  /** Of all callers of this process together. */
  readonly inAll?: Allowance | undefined;
  readonly now?: (() => number) | undefined;
}

interface Used {
  readonly since: number;
  keys: number;
  chars: number;
}

const PER_CALLER: Allowance = { keys: 500_000, chars: 256 * 1024 * 1024 };
const IN_ALL: Allowance = { keys: 2_000_000, chars: 1024 * 1024 * 1024 };
const MAX_CALLERS = 10_000;
const RETRY_MS = 60_000;

const refusal = (limit: 'caller' | 'hub'): PlugboardError =>
  new PlugboardError(
    'RATE_LIMITED',
    limit === 'caller'
      ? 'This caller has used all idempotency keys that it may use in 24 hours.'
      : 'All idempotency keys that this hub remembers in 24 hours are used.',
    {
      hint: 'Send the request without an idempotency key, or try again later.',
      details: { limit, refused_by: 'plugboard' },
      retryAfterMs: RETRY_MS,
    },
  );

/** Outcomes stay in the store for a day. One caller must not fill its disk with them, nor all callers together. */
export class KeyAllowance {
  readonly #options: KeyAllowanceOptions;
  readonly #perCaller: Allowance;
  readonly #inAll: Allowance;
  readonly #callers = new Map<string, Used>();
  #all: Used;

  constructor(options: KeyAllowanceOptions) {
    this.#options = options;
    this.#perCaller = options.perCaller ?? PER_CALLER;
    this.#inAll = options.inAll ?? IN_ALL;
    this.#all = this.#fresh();
  }

  /** Counts a key; the refusal when there are too many. */
  take(caller: string): PlugboardError | undefined {
    const [own, all] = this.#used(caller);
    if (own.keys >= this.#perCaller.keys) return refusal('caller');
    if (all.keys >= this.#inAll.keys) return refusal('hub');
    own.keys += 1;
    all.keys += 1;
    return undefined;
  }

  /** The request left nothing in the store. */
  giveBack(caller: string): void {
    for (const used of this.#used(caller)) used.keys = Math.max(0, used.keys - 1);
  }

  /** May a response of this length be kept? Then it counts. */
  keeps(caller: string, chars: number): boolean {
    const [own, all] = this.#used(caller);
    if (own.chars + chars > this.#perCaller.chars || all.chars + chars > this.#inAll.chars) return false;
    own.chars += chars;
    all.chars += chars;
    return true;
  }

  #used(caller: string): readonly [own: Used, all: Used] {
    if (this.#isOver(this.#all)) this.#all = this.#fresh();
    const known = this.#callers.get(caller);
    if (known !== undefined && !this.#isOver(known)) return [known, this.#all];
    this.#callers.delete(caller);
    const oldest = this.#callers.keys().next();
    if (this.#callers.size >= MAX_CALLERS && oldest.done !== true) this.#callers.delete(oldest.value);
    const own = this.#fresh();
    this.#callers.set(caller, own);
    return [own, this.#all];
  }

  #isOver({ since }: Used): boolean {
    return this.#now() - since >= this.#options.periodMs;
  }

  #fresh(): Used {
    return { since: this.#now(), keys: 0, chars: 0 };
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }
}
