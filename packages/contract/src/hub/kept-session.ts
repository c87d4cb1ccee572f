/**
 * What is kept of a client's session, so that a hub that restarts, or another replica, can continue it. The store has
 * neither the id of the session nor anything that can be read without it.
 */
export interface KeptSession {
  /** Derived from the id of the session, which cannot be derived from it. */
  readonly key: string;
  /** Grows each time that a process takes the session over. What an earlier holder writes after that is ignored. */
  readonly generation: number;
  readonly sealed: string;
  /** How long ago the client last used it, in milliseconds. A time would be that of one machine, and its clock may be wrong. */
  readonly idleMs: number;
}

/** Some consecutive events of a session. */
export interface KeptEvents {
  readonly key: string;
  /** The number of the last of them. */
  readonly last: number;
  readonly sealed: string;
}

/** What changed since the last batch. */
export interface SessionBatch {
  readonly sessions: readonly KeptSession[];
  readonly events: readonly KeptEvents[];
  /** Events before this number are no longer needed. */
  readonly trimmed: readonly { readonly key: string; readonly before: number }[];
  /** Sessions that are over. */
  readonly ended: readonly Pick<KeptSession, 'key' | 'generation'>[];
}

/** Where sessions are kept. */
export interface SessionKeeping {
  load(key: string): Promise<{ readonly session: KeptSession; readonly events: readonly KeptEvents[] } | undefined>;
  /** Takes a session over from the holder of this generation; false when somebody else did. */
  claim(key: string, generation: number): Promise<boolean>;
  /** Writes all of it or nothing. Returns the keys of sessions that somebody else has taken over. */
  save(batch: SessionBatch): Promise<readonly string[]>;
  /** Forgets sessions that nobody has used for so long. */
  forgetIdle(idleMs: number): Promise<void>;
}
