import { systemClock, type Clock } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import { Quota } from './quota.js';

/** Whom a limit counts for: everybody who uses a server, one caller, or everybody who uses a tool. */
export type LimitSubject = 'server' | 'caller' | 'tool';

export interface Limit {
  /** Calls in progress at the same time; one more is refused at once. */
  readonly concurrent?: number | undefined;
  readonly perMinute?: number | undefined;
}

export type Limits = Readonly<Partial<Record<LimitSubject, Limit | undefined>>>;

export interface CallLimitsOptions {
  readonly limits: Limits;
  readonly clock?: Clock | undefined;
  /** How many subjects are remembered; the ones that were quiet for longest are forgotten. */
  readonly maxSubjects?: number | undefined;
}

/** The caller and what it calls; the tool is missing if no tool is called. */
export type LimitKeys = Readonly<Record<'server' | 'caller', string>> & { readonly tool: string | undefined };

const MAX_SUBJECTS = 10_000;
/** The widest first. */
const SUBJECTS = ['caller', 'server', 'tool'] as const;

const NOTHING = (): void => undefined;

const refusal = (subject: LimitSubject, retryAfterMs: number): PlugboardError =>
  new PlugboardError('RATE_LIMITED', `This ${subject} has reached its limit of calls; the server was not asked.`, {
    hint: 'Try again after the time that the answer names. An operator can raise guard.limits.',
    details: { limit: subject, refused_by: 'plugboard' },
    retryAfterMs,
  });

/** Remembers one quota for each key, the most recently used last. */
class Shelf {
  readonly #make: () => Quota;
  readonly #max: number;
  readonly #quotas = new Map<string, Quota>();

  constructor(make: () => Quota, max: number) {
    this.#make = make;
    this.#max = max;
  }

  get(key: string): Quota {
    const quota = this.#quotas.get(key) ?? this.#make();
    this.#quotas.delete(key);
    this.#quotas.set(key, quota);
    if (this.#quotas.size > this.#max) {
      const [oldest] = this.#quotas.keys();
      if (oldest !== undefined) this.#quotas.delete(oldest);
    }
    return quota;
  }
}

interface ShelfOf {
  readonly subject: LimitSubject;
  readonly shelf: Shelf;
}

/** The limits that an operator set for calls: all of them let a call in, or none of them counts it. */
export class CallLimits {
  readonly #shelves: readonly ShelfOf[];

  constructor({ limits, clock = systemClock, maxSubjects = MAX_SUBJECTS }: CallLimitsOptions) {
    this.#shelves = SUBJECTS.flatMap((subject) => {
      const limit = limits[subject];
      if (limit?.concurrent === undefined && limit?.perMinute === undefined) return [];
      return [{ subject, shelf: new Shelf(() => new Quota(limit, clock), maxSubjects) }];
    });
  }

  get isEmpty(): boolean {
    return this.#shelves.length === 0;
  }

  /** Counts a call and says how to end it. Throws RATE_LIMITED. */
  enter(keys: LimitKeys): () => void {
    if (this.isEmpty) return NOTHING;
    const quotas: Quota[] = [];
    for (const { subject, shelf } of this.#shelves) {
      const key = keys[subject];
      if (key === undefined) continue;
      const quota = shelf.get(key);
      const waitMs = quota.waitMs();
      if (waitMs > 0) throw refusal(subject, waitMs);
      quotas.push(quota);
    }
    for (const quota of quotas) quota.enter();
    return () => {
      for (const quota of quotas) quota.leave();
    };
  }
}
