import { createBulkhead, type Bulkhead, type BulkheadOptions } from './bulkhead.js';
import {
  createCircuitBreaker,
  defaultBreakerOptions,
  type CircuitBreaker,
  type CircuitBreakerOptions,
} from './circuit-breaker.js';
import { systemClock, type Clock, type Random } from './clock.js';
import { deadline, type DeadlineOptions } from './deadline.js';
import type { CallGate } from './call-gate.js';
import { composePolicies, type Policy } from './policy.js';
import { rateLimit, type RateLimitOptions } from './rate-limit.js';
import { requestedPause } from './retry-after.js';
import { retry, type RetryOptions } from './retry.js';

export interface ServerPolicyOptions {
  /** The whole call with its waits and retries; no limit of its own when left out. */
  readonly totalMs?: number | undefined;
  /** Each attempt; a client has deadlines of its own, so there is none here when left out. */
  readonly deadline?: DeadlineOptions | undefined;
  readonly bulkhead?: Partial<BulkheadOptions> | undefined;
  readonly breaker?: Partial<CircuitBreakerOptions> | undefined;
  readonly retry?: Partial<RetryOptions> | undefined;
  /** No limit when left out. */
  readonly rateLimit?: RateLimitOptions | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface ServerPolicies {
  readonly policy: Policy;
  readonly breaker: CircuitBreaker;
  readonly bulkhead: Bulkhead;
  /** The same for calls that take the short way; undefined when there is a limit that they would get round. */
  readonly gate: CallGate | undefined;
}

const defaultBulkhead = { maxConcurrent: 64, maxQueued: 256, maxWaitMs: 10_000 };
const defaultRetry = { maxRetries: 2 };

/** Everything that stands between a caller and one server, outermost first. Each server has its own. */
export const createServerPolicies = (options: ServerPolicyOptions = {}): ServerPolicies => {
  const time = { clock: options.clock ?? systemClock };
  const bulkhead = createBulkhead({ ...defaultBulkhead, ...time, ...options.bulkhead });
  const breaker = createCircuitBreaker({ ...defaultBreakerOptions, ...time, ...options.breaker });
  const pause = requestedPause(time);
  const policy = composePolicies([
    ...(options.totalMs === undefined ? [] : [deadline({ ...time, requestMs: options.totalMs })]),
    retry({ ...defaultRetry, ...time, random: options.random, ...options.retry }),
    ...(options.rateLimit === undefined ? [] : [rateLimit({ ...time, ...options.rateLimit })]),
    // Before the queue: whoever waits takes no place in it. And behind it: a pause may begin while somebody waits there.
    pause.wait,
    breaker.policy,
    bulkhead.policy,
    pause.policy,
    ...(options.deadline === undefined ? [] : [deadline({ ...time, ...options.deadline })]),
  ]);
  const gate: CallGate = {
    tryEnter: () => breaker.isClosed() && !pause.lasts() && bulkhead.tryEnter(),
    answered: () => {
      bulkhead.leave();
      breaker.noteAnswer();
    },
    leave: () => bulkhead.leave(),
  };
  return { policy, breaker, bulkhead, gate: options.rateLimit === undefined ? gate : undefined };
};
