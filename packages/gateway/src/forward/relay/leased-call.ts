import type { McpCall } from '../../call/mcp-call.js';
import type { UpstreamRoute } from '../../call/route.js';
import type { LargeAnswers } from '../../answer-thread/large-answers.js';
import type { Lease } from '../../connection/lease-link.js';

/** A routed request with the connection that it goes out on. */
export interface LeasedCall {
  readonly call: McpCall;
  readonly route: UpstreamRoute;
  readonly lease: Lease;
  /** Reads answers that are too large for the event loop. */
  readonly large?: LargeAnswers | undefined;
}
