import type { Hint } from '@plugboard/contract';

export interface Deadlines {
  /** To connect and agree on a session. */
  readonly connectMs: number;
  /** For each page of a list. */
  readonly listMs: number;
  /** For any other request; progress starts it again. */
  readonly callMs: number;
  /** For calls of single tools, by their name. */
  readonly toolMs?: Readonly<Record<string, number>> | undefined;
  /** The longest time for a request, however much progress it reports. */
  readonly maxCallMs: number;
  /** The longest silence while an answer arrives; no limit when undefined. */
  readonly idleMs: number | undefined;
  /** For the answer to the modern handshake, before the legacy one is tried. */
  readonly probeMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  connectMs: 30_000,
  listMs: 30_000,
  callMs: 60_000,
  maxCallMs: 3_600_000,
  idleMs: undefined,
  probeMs: 5_000,
};

/** Which of the deadlines ended a request. */
export type DeadlineKind = 'connect' | 'list' | 'call';

/** What to do about a deadline that was too short. */
export type DeadlineHint = (kind: DeadlineKind, toolName?: string) => Hint;
