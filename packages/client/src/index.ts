// process
export { launchProcess, type LaunchedProcess, type LaunchOptions } from './process/launch-process.js';
export type { ProcessSpec } from './process/process-spec.js';
export {
  describeExit,
  processExitedError,
  type ExitReason,
  type ExitReport,
  type StopReason,
} from './process/exit-report.js';
export { createParentDeathGuard, type ParentDeathGuard } from './process/parent-death-guard.js';
export type { StopGrace } from './process/stop-ladder.js';
// policy
export { composePolicies, type CallActivity, type CallContext, type Policy } from './policy/policy.js';
export { sleep, systemClock, type Clock, type Random } from './policy/clock.js';
export { deadline, type DeadlineOptions } from './policy/deadline.js';
export { createBulkhead, type Bulkhead, type BulkheadOptions } from './policy/bulkhead.js';
export {
  createCircuitBreaker,
  defaultBreakerOptions,
  type CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitState,
} from './policy/circuit-breaker.js';
export { backoffCeilingMs, retry, type RetryOptions } from './policy/retry.js';
export { rateLimit, type RateLimitOptions } from './policy/rate-limit.js';
export { respectRetryAfter } from './policy/retry-after.js';
export { createServerPolicies, type ServerPolicies, type ServerPolicyOptions } from './policy/server-policies.js';
// template
export { resolveConfig } from './template/resolve-config.js';
export { hasReference, resolveTemplate, type ResolvedText, type VariableLookup } from './template/resolve-template.js';
