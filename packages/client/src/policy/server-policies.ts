import { createBulkhead, type Bulkhead, type BulkheadOptions } from './bulkhead.js';
import {
  createCircuitBreaker,
  defaultBreakerOptions,
  type CircuitBreaker,
  type CircuitBreakerOptions,
} from './circuit-breaker.js';
import { systemClock, type Clock } from '../deadline/clock.js';
import { composePolicies, type CallPolicies, type Policy } from './policy.js';
import { rateLimit, type RateLimitOptions } from './rate-limit.js';
import { requestedPause } from './retry-after.js';
import { totalDeadline } from './total-deadline.js';

export interface ServerPolicyOptions {
  /** The whole call with its waits and retries; no limit of its own when left out. */
  readonly totalMs?: number | undefined;
  readonly bulkhead?: Partial<BulkheadOptions> | undefined;
  readonly breaker?: Partial<CircuitBreakerOptions> | undefined;
  /** No limit when left out. */
  readonly rateLimit?: RateLimitOptions | undefined;
  readonly clock?: Clock | undefined;
}

export interface ServerPolicies extends CallPolicies {
  readonly call: Policy;
  readonly attempt: Policy;
  readonly breaker: CircuitBreaker;
  readonly bulkhead: Bulkhead;
}

const defaultBulkhead = { maxConcurrent: 64, maxQueued: 256, maxWaitMs: 10_000 };

/** Everything that stands between a caller and one server, outermost first. Each server has its own. */
export const createServerPolicies = (options: ServerPolicyOptions = {}): ServerPolicies => {
  const time = { clock: options.clock ?? systemClock };
  const bulkhead = createBulkhead({ ...defaultBulkhead, ...time, ...options.bulkhead });
  const breaker = createCircuitBreaker({ ...defaultBreakerOptions, ...time, ...options.breaker });
  const pause = requestedPause(time);
  const call = composePolicies([
    ...(options.totalMs === undefined ? [] : [totalDeadline(options.totalMs, time.clock)]),
    breaker.policy,
  ]);
  const attempt = composePolicies([
    breaker.attempt,
    ...(options.rateLimit === undefined ? [] : [rateLimit({ ...time, ...options.rateLimit })]),
    // Before the queue, so that a call that waits takes no place in it. And after it: a pause may begin meanwhile.
    pause.wait,
    bulkhead.policy,
    pause.policy,
  ]);
  const gate = {
    tryEnter: () => breaker.isClosed() && !pause.lasts() && bulkhead.tryEnter(),
    answered: () => {
      bulkhead.leave();
      breaker.noteAnswer();
    },
    leave: () => bulkhead.leave(),
  };
  // Calls on the fast path would bypass a rate limit.
  return { call, attempt, breaker, bulkhead, gate: options.rateLimit === undefined ? gate : undefined };
};
