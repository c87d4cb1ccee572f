import type { EventPast } from './event-log.js';
import type { LegacyPast } from './legacy-session.js';

/** What is known of a session that an earlier process, or another replica, opened. */
export interface SessionPast extends LegacyPast {
  readonly id: string;
  readonly generation: number;
  /** Marks the ids of its events. */
  readonly prefix: string;
  readonly events: EventPast;
  /** The number of the last event on the general stream that the client was sent. */
  readonly delivered: number;
  readonly lastStream: number;
  /** Streams whose request was in progress, each with what its client is told when it comes back. */
  readonly interrupted: readonly (readonly [stream: number, failure: string])[];
}

/** A process gives out fewer numbers than this, so those of two processes never meet. */
const NUMBERS_PER_GENERATION = 2 ** 32;

/** The last number before those that this generation of a session gives out. */
export const numbersBefore = (generation: number): number => generation * NUMBERS_PER_GENERATION;
