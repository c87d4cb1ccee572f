import type { RepairResult } from './call/tool-access.js';
import type { CallPolicies } from './policy/policy.js';
import type { SessionOptions } from './session/session-options.js';

export interface McpClientOptions extends SessionOptions {
  /** How often a call is sent again when that is safe; once when left out. */
  readonly maxRetries?: number | undefined;
  /** Circuit breaker, queue and limits: `createServerPolicies` makes the usual ones. */
  readonly policies?: CallPolicies | undefined;
  /** Repairs malformed results of `callTool`. Without it they are UPSTREAM_PROTOCOL. */
  readonly repairResult?: RepairResult | undefined;
}
