import type { UnderWay } from '@plugboard/client';
import type { Span } from '@opentelemetry/api';
import type { CallFlow } from './call-flow.js';
import type { UpstreamClient } from '../upstream/upstream-client.js';

/** A call that went out the short way and comes back to the ordinary one with what became of it so far. */
export interface SentCall {
  readonly client: UpstreamClient;
  readonly underWay: UnderWay;
  /** The span that the server was told of. */
  readonly span: Span | undefined;
  /** What happened to it so far, where somebody follows it. */
  readonly flow?: CallFlow | undefined;
}
