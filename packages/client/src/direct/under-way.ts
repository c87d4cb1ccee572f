import type { HeldPlace } from '../policy/call-gate.js';
import type { LiveSession } from '../session/live-session.js';
import type { SentAnswer } from '../transport/http-channel.js';

/** A request that was sent the short way and goes on the ordinary one: its first attempt is what is under way. */
export interface UnderWay {
  readonly id: number | string;
  readonly live: LiveSession;
  readonly place: HeldPlace;
  /** When it was sent, on the clock of performance.now(). */
  readonly startedAt: number;
  /** Has nobody claimed it yet? */
  readonly isOpen: boolean;
  /** Its answer, for whoever asks first; undefined for everybody else. */
  claim(signal: AbortSignal): Promise<SentAnswer> | undefined;
  /** Nobody wants it: what nobody claimed ends. */
  drop(): void;
}
