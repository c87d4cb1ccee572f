import type { ProgramExit, ServerId, ServerLogEntry } from '@plugboard/contract';

/** An entry as it is kept: an end also says how. */
export interface KeptLogEntry extends ServerLogEntry {
  readonly exit?: ProgramExit | undefined;
}

export interface LogRead {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** What the programs of servers wrote, and what became of them. */
export interface LogStore {
  append(entries: readonly KeptLogEntry[]): Promise<void>;
  /** The last ones, oldest first; with `after`, those that came next. */
  read(id: ServerId, read: LogRead): Promise<readonly KeptLogEntry[]>;
  /** Starts and ends of all servers since that time, oldest first. */
  lives(since: string): Promise<readonly KeptLogEntry[]>;
  /** Keeps the last ones of a server. */
  keepLast(id: ServerId, count: number): Promise<void>;
  /** Forgets what happened before that time. */
  forgetBefore(at: string): Promise<void>;
  /** Forgets everything about a server. */
  forget(id: ServerId): Promise<void>;
}
