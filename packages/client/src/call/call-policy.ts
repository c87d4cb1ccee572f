import { reportAmbiguousDelivery } from '../retry/ambiguous-delivery.js';
import { retry, type RetryOptions } from '../retry/retry.js';
import { composePolicies, type CallPolicies, type Policy } from '../policy/policy.js';

/** Everything around an attempt, outermost first. */
export const callPolicy = ({ call, attempt }: CallPolicies, retries: RetryOptions): Policy =>
  composePolicies([
    reportAmbiguousDelivery,
    ...(call === undefined ? [] : [call]),
    retry(retries),
    ...(attempt === undefined ? [] : [attempt]),
  ]);
