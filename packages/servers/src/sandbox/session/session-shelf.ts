import type { IsolateState } from '../isolate/isolate-job.js';
import { SandboxError } from '../sandbox-error.js';
import { newCapability } from './capability.js';

export interface Session {
  /** Unguessable: anyone who has it may use the session. */
  readonly id: string;
  /** The client it belongs to, where the transport tells clients apart. */
  readonly owner: string | undefined;
  state: IsolateState | undefined;
  usedAt: number;
  running: boolean;
  ended: boolean;
}

export interface SessionShelfOptions {
  readonly maxSessions: number;
  /** What the states of all sessions may take together. */
  readonly stateBytes: number;
  readonly idleMs: number;
  readonly now: () => number;
  readonly onEnd: (session: Session) => void;
}

/** Sessions by id: bounded, ended by their client or by idleness. Between runs a session is only bytes. */
export class SessionShelf {
  readonly #options: SessionShelfOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionShelfOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  create(owner: string | undefined): Session {
    this.sweep();
    if (this.#sessions.size >= this.#options.maxSessions) throw new SandboxError('SESSION_LIMIT');
    const session: Session = {
      id: newCapability('ses'),
      owner,
      state: undefined,
      usedAt: this.#options.now(),
      running: false,
      ended: false,
    };
    this.#sessions.set(session.id, session);
    return session;
  }

  get(id: string, owner: string | undefined): Session {
    this.sweep();
    const session = this.#find(id, owner);
    if (session === undefined) throw new SandboxError('SESSION_NOT_FOUND');
    session.usedAt = this.#options.now();
    return session;
  }

  /** One run at a time: two would start from the same state, and one of them would be lost. */
  async use<T>(session: Session, run: () => Promise<T>): Promise<T> {
    if (session.running) throw new SandboxError('SESSION_BUSY');
    session.running = true;
    try {
      return await run();
    } finally {
      session.running = false;
      session.usedAt = this.#options.now();
    }
  }

  /** False when the states of all sessions would take too much; then nothing is changed. */
  keep(session: Session, state: IsolateState): boolean {
    const others = [...this.#sessions.values()].filter((other) => other !== session);
    const bytes = others.reduce((sum, other) => sum + (other.state?.memory.byteLength ?? 0), state.memory.byteLength);
    if (bytes > this.#options.stateBytes) return false;
    session.state = state;
    return true;
  }

  /** False when there was none. */
  close(id: string, owner: string | undefined): boolean {
    const session = this.#find(id, owner);
    if (session === undefined) return false;
    this.#end(session);
    return true;
  }

  sweep(): void {
    const before = this.#options.now() - this.#options.idleMs;
    for (const session of this.#sessions.values()) if (!session.running && session.usedAt < before) this.#end(session);
  }

  #find(id: string, owner: string | undefined): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.owner === undefined || session.owner === owner ? session : undefined;
  }

  #end(session: Session): void {
    session.ended = true;
    this.#sessions.delete(session.id);
    this.#options.onEnd(session);
  }
}
