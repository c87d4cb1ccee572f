import type { CheckEra } from '@plugboard/contract';
import type { JsonObject } from '../connection/json.js';
import type { Session } from '../session/session.js';

/** What checks of a run have found out and share. */
export class Memory {
  /** Lists that were read, by era and method. */
  readonly lists = new Map<string, Promise<readonly JsonObject[]>>();
  /** Results under their names. */
  readonly known = new Map<string, Promise<unknown>>();
  /** The conversation that all checks of an era share; of first tries it is the one that the facts are from. */
  readonly sessions = new Map<CheckEra, Session>();
}

/**
 * A memory for the first tries of all checks, one for their second tries, and so on. A second try shares nothing with the
 * first, so that what it sees is a new observation; among each other second tries share it, so that the server is asked and
 * its tools are called twice at most.
 */
export class Memories {
  #all: Memory[] = [];
  readonly #opened = new Set<Session>();

  of(attempt: number): Memory {
    return (this.#all[attempt] ??= new Memory());
  }

  /** The shared conversation of a try: the one that is open, or the one that `open` opens. */
  async session(attempt: number, era: CheckEra, open: () => Promise<Session>): Promise<Session> {
    const { sessions } = this.of(attempt);
    const known = sessions.get(era);
    if (known !== undefined && known.death === undefined && !known.isLost) return known;
    const opened = await open();
    this.#opened.add(opened);
    // A server that serves one client only refuses another conversation.
    if (opened.opening.result !== undefined) sessions.set(era, opened);
    return opened;
  }

  /** What was asked of a conversation that is lost may have failed with it. */
  clear(): void {
    this.#all = [];
  }

  /** Ends the conversations that were opened for later tries. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#opened].map((session) => session.close()));
  }
}
