import { nameAmbiguity } from './delivery/name-ambiguity.js';
import { replay, type ReplayOptions } from './delivery/replay.js';
import { composePolicies, type Policy } from './policy/policy.js';

export interface PolicyStackOptions {
  /** What the caller put around every call: deadline, bulkhead, breaker, rate limit, retry. */
  readonly policies?: readonly Policy[] | undefined;
  readonly replay: ReplayOptions;
}

/** Everything around an attempt, outermost first. */
export const policyStack = (options: PolicyStackOptions): readonly Policy[] => [
  nameAmbiguity,
  ...(options.policies ?? []),
  replay(options.replay),
];

export const composeStack = (options: PolicyStackOptions): Policy => composePolicies(policyStack(options));
