import { systemClock, type Clock } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import type { FleetSide } from '../../call/fleet-side.js';
import { LimitExchange } from './fleet/limit-exchange.js';
import { OwnQuota, type Quota } from './quota/quota.js';
import { SharedQuota } from './fleet/shared-quota.js';

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
  /** The processes that share the limits with this one; undefined when there is one. */
  readonly fleet?: Pick<FleetSide, 'share' | 'lend'> | undefined;
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
  new PlugboardError(
    'RATE_LIMITED',
    `This ${subject} has reached its call limit. The call was not sent to the server.`,
    {
      hint: 'Retry after the time in the response. An operator can raise guard.limits.',
      details: { limit: subject, refused_by: 'plugboard' },
      retryAfterMs,
    },
  );

/** Remembers one quota for each key, the most recently used last. */
class Shelf {
  readonly #make: (key: string) => Quota;
  readonly #max: number;
  readonly #quotas = new Map<string, Quota>();

  constructor(make: (key: string) => Quota, max: number) {
    this.#make = make;
    this.#max = max;
  }

  get(key: string): Quota {
    const quota = this.#quotas.get(key) ?? this.#make(key);
    this.#quotas.delete(key);
    this.#quotas.set(key, quota);
    if (this.#quotas.size > this.#max) {
      const [oldest] = this.#quotas.keys();
      if (oldest !== undefined) this.#quotas.delete(oldest);
    }
    return quota;
  }

  all(): Iterable<Quota> {
    return this.#quotas.values();
  }
}

interface ShelfOf {
  readonly subject: LimitSubject;
  readonly shelf: Shelf;
}

/** The limits that an operator set for calls: all of them let a call in, or none of them counts it. */
export class CallLimits {
  readonly #shelves: readonly ShelfOf[];
  readonly #exchange: LimitExchange | undefined;

  constructor({ limits, clock = systemClock, fleet, maxSubjects = MAX_SUBJECTS }: CallLimitsOptions) {
    const makeQuota = (subject: LimitSubject, limit: Limit, key: string): Quota =>
      fleet === undefined
        ? new OwnQuota(limit, clock)
        : new SharedQuota({
            limit,
            subject: `${subject} ${key}`,
            clock,
            share: fleet.share,
            isCutOff: () => this.#exchange?.isCutOff ?? false,
            hurry: () => this.#exchange?.hurry(),
          });
    this.#shelves = SUBJECTS.flatMap((subject) => {
      const limit = limits[subject];
      if (limit?.concurrent === undefined && limit?.perMinute === undefined) return [];
      return [{ subject, shelf: new Shelf((key) => makeQuota(subject, limit, key), maxSubjects) }];
    });
    if (fleet === undefined || this.isEmpty) return;
    this.#exchange = new LimitExchange({ lend: fleet.lend, quotas: () => this.#shared() });
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

  close(): void {
    this.#exchange?.close();
  }

  *#shared(): Generator<SharedQuota> {
    for (const { shelf } of this.#shelves) {
      for (const quota of shelf.all()) if (quota instanceof SharedQuota) yield quota;
    }
  }
}
