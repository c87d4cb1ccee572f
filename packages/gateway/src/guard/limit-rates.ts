import { composePolicies, createBulkhead, type Clock, type Policy, rateLimit } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import type { McpCall } from '../call/mcp-call.js';
import type { CallStep } from '../call/step.js';
import type { UpstreamRoute } from '../route/route.js';

/** Whom a limit counts for: everybody who uses a server, one caller, or everybody who uses a tool. */
export type LimitSubject = 'server' | 'caller' | 'tool';

export interface Limit {
  /** Calls under way at the same time; one more is refused at once. */
  readonly concurrent?: number | undefined;
  readonly perMinute?: number | undefined;
}

export type Limits = Readonly<Partial<Record<LimitSubject, Limit | undefined>>>;

export interface LimitRatesOptions {
  readonly limits: Limits;
  readonly clock?: Clock | undefined;
  /** How many subjects are remembered; the ones that were quiet for longest are forgotten. */
  readonly maxSubjects?: number | undefined;
}

const MAX_SUBJECTS = 10_000;
const BUSY_RETRY_MS = 1000;
const SECONDS = 60;
/** A caller may use ten seconds' worth of its rate at once. */
const BURST_SHARE = 6;

const keyOf = (subject: LimitSubject, call: McpCall, { server, tool }: UpstreamRoute): string | undefined => {
  switch (subject) {
    case 'server':
      return server.id;
    case 'caller':
      return call.client.caller.principal;
    case 'tool':
      return tool === undefined ? undefined : `${server.id} ${tool.name}`;
    default:
      return subject satisfies never;
  }
};

const refusal = (subject: LimitSubject, thrown: PlugboardError): PlugboardError =>
  new PlugboardError('RATE_LIMITED', `This ${subject} has reached its limit of calls; the server was not asked.`, {
    hint: 'Try again after the time that the answer names. An operator can raise guard.limits.',
    details: { limit: subject, refused_by: 'plugboard' },
    retryAfterMs: thrown.retryAfterMs ?? BUSY_RETRY_MS,
  });

const policyFor = ({ concurrent, perMinute }: Limit, clock: Clock | undefined): Policy =>
  composePolicies([
    ...(perMinute === undefined
      ? []
      : [rateLimit({ perSecond: perMinute / SECONDS, burst: Math.max(1, Math.ceil(perMinute / BURST_SHARE)), clock })]),
    ...(concurrent === undefined
      ? []
      : [createBulkhead({ maxConcurrent: concurrent, maxQueued: 0, maxWaitMs: BUSY_RETRY_MS, clock }).policy]),
  ]);

/** Remembers one policy for each subject, the most recently used last. */
class PolicyShelf {
  readonly #make: () => Policy;
  readonly #max: number;
  readonly #policies = new Map<string, Policy>();

  constructor(make: () => Policy, max: number) {
    this.#make = make;
    this.#max = max;
  }

  get(key: string): Policy {
    const policy = this.#policies.get(key) ?? this.#make();
    this.#policies.delete(key);
    this.#policies.set(key, policy);
    if (this.#policies.size > this.#max) {
      const [oldest] = this.#policies.keys();
      if (oldest !== undefined) this.#policies.delete(oldest);
    }
    return policy;
  }
}

const limitBy = (subject: LimitSubject, limit: Limit, options: LimitRatesOptions): CallStep => {
  const shelf = new PolicyShelf(() => policyFor(limit, options.clock), options.maxSubjects ?? MAX_SUBJECTS);
  return async (call, next) => {
    const { route } = call;
    const key = route?.kind === 'upstream' ? keyOf(subject, call, route) : undefined;
    if (key === undefined || route?.kind !== 'upstream') return next(call);
    let admitted = false;
    const context = { serverName: route.server.server_name, method: call.method, attempt: 1, signal: call.signal };
    try {
      return await shelf.get(key)(context, () => {
        admitted = true;
        return next(call);
      });
    } catch (thrown) {
      const ours = !admitted && thrown instanceof PlugboardError && thrown.code === 'RATE_LIMITED';
      throw ours ? refusal(subject, thrown) : thrown;
    }
  };
};

const hasLimit = ({ concurrent, perMinute }: Limit): boolean => concurrent !== undefined || perMinute !== undefined;

/** One step for each limit that is set, the widest first. */
export const limitRates = (options: LimitRatesOptions): readonly CallStep[] =>
  (['caller', 'server', 'tool'] as const).flatMap((subject) => {
    const limit = options.limits[subject];
    return limit === undefined || !hasLimit(limit) ? [] : [limitBy(subject, limit, options)];
  });
