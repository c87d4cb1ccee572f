import { createHash, randomBytes } from 'node:crypto';
import { Secret } from '@plugboard/contract';

/** Somebody who logged in with a browser. */
export interface WebSession {
  /** What was logged in with: it is verified with every request, so revoking it ends the session. */
  readonly credential: Secret;
  /** What pages of ours send along with every change, and no other page can know. */
  readonly csrf: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface WebSessionsOptions {
  readonly now: () => number;
  /** How long a session lasts at most. */
  readonly maxMs?: number | undefined;
  /** How long it lasts without use. */
  readonly idleMs?: number | undefined;
}

interface Held extends WebSession {
  usedAt: number;
}

const MAX_MS = 12 * 60 * 60_000;
const IDLE_MS = 60 * 60_000;
const MAX_SESSIONS = 10_000;

const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64');

/** The sessions of browsers, in the memory of this process. Tokens are kept as hashes only. */
export class WebSessions {
  readonly #options: WebSessionsOptions;
  readonly #held = new Map<string, Held>();

  constructor(options: WebSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  open(credential: string): { readonly token: string; readonly session: WebSession } {
    this.#sweep();
    const now = this.#options.now();
    const token = randomBytes(32).toString('base64url');
    const session: Held = {
      credential: Secret.of(credential),
      csrf: randomBytes(32).toString('base64url'),
      expiresAt: now + (this.#options.maxMs ?? MAX_MS),
      usedAt: now,
    };
    const oldest = this.#held.keys().next();
    if (this.#held.size >= MAX_SESSIONS && oldest.done !== true) this.#held.delete(oldest.value);
    this.#held.set(keyOf(token), session);
    return { token, session };
  }

  /** Undefined for a session that is over or was never there. */
  find(token: string): WebSession | undefined {
    const key = keyOf(token);
    const session = this.#held.get(key);
    if (session === undefined) return undefined;
    if (this.#isOver(session)) {
      this.#held.delete(key);
      return undefined;
    }
    session.usedAt = this.#options.now();
    return session;
  }

  close(token: string): void {
    this.#held.delete(keyOf(token));
  }

  #isOver({ expiresAt, usedAt }: Held): boolean {
    const now = this.#options.now();
    return now >= expiresAt || now - usedAt >= (this.#options.idleMs ?? IDLE_MS);
  }

  #sweep(): void {
    for (const [key, session] of this.#held) if (this.#isOver(session)) this.#held.delete(key);
  }
}
