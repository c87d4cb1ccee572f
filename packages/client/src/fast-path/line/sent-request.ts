import type { HeldPlace } from '../../policy/call-gate.js';
import type { LiveSession } from '../../session/live-session.js';
import type { SentLine, SentPost } from '../../transport/claimed-request.js';

interface SentRequest {
  readonly id: number;
  readonly live: LiveSession;
  readonly place: HeldPlace;
  /** When it was sent, on the clock of performance.now(). */
  readonly startedAt: number;
  /** Has nobody claimed it yet? */
  readonly isOpen: boolean;
  /** Nobody wants it: what nobody claimed ends. */
  drop(): void;
}

/** A request that was posted over HTTP. */
export interface PostUnderWay extends SentRequest, SentPost {}

/** A request that was written to the pipe of a program. */
export interface LineUnderWay extends SentRequest, SentLine {}

/** A request that was sent on the fast path and continues on the full path as its first attempt. */
export type UnderWay = PostUnderWay | LineUnderWay;
