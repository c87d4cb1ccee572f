import type { McpClient, UnderWay } from '@plugboard/client';
import type { Span } from '@opentelemetry/api';
import type { CallFlow } from './call-flow.js';

/** A call that was sent on the fast path and goes on on the full path. */
export interface SentCall {
  readonly client: Pick<McpClient, 'request' | 'listTools'>;
  readonly underWay: UnderWay;
  /** The span that the server was told of. */
  readonly span: Span | undefined;
  /** What happened to it so far, where somebody follows it. */
  readonly flow?: CallFlow | undefined;
}
