import type { RequestId } from '@plugboard/wire';

/** How a request got its answer. */
export type FlowPath =
  /** By the hub itself: lists, greetings, tools of its own. */
  | 'hub'
  /** As bytes, without the pipeline. */
  | 'fast'
  /** Through the pipeline, to a server of the client's era. */
  | 'full'
  /** Through the pipeline, translated for a server of the other era. */
  | 'bridge';

export interface FlowSubject {
  readonly callId: string;
  /** The client's id of the request. */
  readonly id: RequestId;
  readonly revision: string;
  readonly session: string | undefined;
  readonly agent: string | undefined;
}

/** What happened to one request on its way. It is kept only while somebody follows requests. */
export class CallFlow {
  readonly subject: FlowSubject;
  path: FlowPath = 'hub';
  /** Why it did not take the fast path, or left it. */
  obstacle: string | undefined;
  /** The id that the server knows. */
  upstreamId: RequestId | undefined;
  upstreamEra: string | undefined;
  transport: string | undefined;
  attempts = 0;
  readonly decisions: string[] = [];

  constructor(subject: FlowSubject) {
    this.subject = subject;
  }

  /** The request goes out, perhaps not for the first time. */
  readonly sent = (id: RequestId, attempt: number): void => {
    this.upstreamId = id;
    this.attempts = Math.max(this.attempts, attempt);
  };

  /** A decision of the hub, in two or three words. */
  decide(what: string): void {
    if (!this.decisions.includes(what)) this.decisions.push(what);
  }
}
