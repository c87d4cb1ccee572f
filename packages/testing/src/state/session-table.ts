import { randomUUID } from 'node:crypto';
import { Session } from './session.js';

/** The legacy sessions that are alive. */
export class SessionTable {
  readonly #sessions = new Map<string, Session>();

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  open(id: string = randomUUID()): Session {
    const session = new Session(id);
    this.#sessions.set(id, session);
    return session;
  }

  find(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.#sessions.get(id);
  }

  /** Forgets the session and ends its streams. */
  drop(id: string): boolean {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    session?.close();
    return session !== undefined;
  }

  dropAll(): void {
    for (const session of this.all) this.drop(session.id);
  }
}
