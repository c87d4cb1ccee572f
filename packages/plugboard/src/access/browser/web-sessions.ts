import { createHash, randomBytes } from 'node:crypto';
import { Secret } from '@plugboard/contract';
import type { KeptWebSessions, WebSessionState } from './kept-web-sessions.js';

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
  /** Says which of several processes has the session. */
  readonly mark?: string | undefined;
  /** Where sessions outlive this process; left out, they end with it. */
  readonly kept?: KeptWebSessions | undefined;
  /** The key of the hub's owner. It differs from process to process. */
  readonly localKey?: string | undefined;
}

interface Held extends WebSession {
  usedAt: number;
  /** When its use was last written. */
  writtenAt: number;
}

const MAX_MS = 12 * 60 * 60_000;
const IDLE_MS = 60 * 60_000;
const MAX_SESSIONS = 10_000;
/** How exactly it is written when a session was last used, and how soon a process learns that another ended it. */
const GRAIN_MS = 60_000;

const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64');

/** The sessions of browsers. Tokens are kept as hashes only. */
export class WebSessions {
  readonly #options: WebSessionsOptions;
  readonly #held = new Map<string, Held>();
  readonly #loading = new Map<string, Promise<WebSession | undefined>>();

  constructor(options: WebSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  open(credential: string): { readonly token: string; readonly session: WebSession } {
    const now = this.#options.now();
    const { mark } = this.#options;
    const token = (mark === undefined ? '' : `${mark}.`) + randomBytes(32).toString('base64url');
    const session: Held = {
      credential: Secret.of(credential),
      csrf: randomBytes(32).toString('base64url'),
      expiresAt: now + (this.#options.maxMs ?? MAX_MS),
      usedAt: now,
      writtenAt: now,
    };
    this.#hold(token, session);
    this.#options.kept?.write(token, this.#stateOf(session), this.#leftOf(session));
    return { token, session };
  }

  /** Undefined for a session that is over or was never there. One of an earlier process is read from the store. */
  find(token: string): WebSession | undefined | Promise<WebSession | undefined> {
    const key = keyOf(token);
    const session = this.#held.get(key);
    if (session === undefined) return this.#options.kept === undefined ? undefined : this.#revive(token, key);
    if (this.#isOver(session)) {
      this.close(token);
      return undefined;
    }
    this.#use(token, session);
    return session;
  }

  close(token: string): void {
    this.#held.delete(keyOf(token));
    this.#options.kept?.end(token);
  }

  /** Resolves when everything is written that another process needs. */
  async flush(): Promise<void> {
    await this.#options.kept?.flush();
  }

  #use(token: string, session: Held): void {
    const now = this.#options.now();
    session.usedAt = now;
    const { kept } = this.#options;
    if (kept === undefined || now - session.writtenAt < GRAIN_MS) return;
    session.writtenAt = now;
    void this.#renew(kept, token, session);
  }

  async #renew(kept: KeptWebSessions, token: string, session: Held): Promise<void> {
    const goesOn = await kept.renew(token, this.#stateOf(session), this.#leftOf(session));
    if (!goesOn) this.#held.delete(keyOf(token));
  }

  #revive(token: string, key: string): Promise<WebSession | undefined> {
    const known = this.#loading.get(key);
    if (known !== undefined) return known;
    const loading = this.#load(token).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(token: string): Promise<WebSession | undefined> {
    const state = await this.#options.kept?.load(token);
    const credential = state?.credential ?? this.#options.localKey;
    if (state === undefined || credential === undefined) return undefined;
    const { csrf, expiresAt, usedAt } = state;
    const session: Held = { credential: Secret.of(credential), csrf, expiresAt, usedAt, writtenAt: usedAt };
    if (this.#isOver(session)) {
      this.close(token);
      return undefined;
    }
    this.#hold(token, session);
    this.#use(token, session);
    return session;
  }

  #hold(token: string, session: Held): void {
    this.#sweep();
    const oldest = this.#held.keys().next();
    if (this.#held.size >= MAX_SESSIONS && oldest.done !== true) this.#held.delete(oldest.value);
    this.#held.set(keyOf(token), session);
  }

  #stateOf({ credential, csrf, expiresAt, usedAt }: Held): WebSessionState {
    const key = credential.reveal();
    return { credential: key === this.#options.localKey ? null : key, csrf, expiresAt, usedAt };
  }

  /** When the session is over if nobody uses it. */
  #endOf({ expiresAt, usedAt }: Held): number {
    return Math.min(expiresAt, usedAt + (this.#options.idleMs ?? IDLE_MS));
  }

  #leftOf(session: Held): number {
    return this.#endOf(session) - this.#options.now();
  }

  #isOver(session: Held): boolean {
    return this.#leftOf(session) <= 0;
  }

  #sweep(): void {
    for (const [key, session] of this.#held) if (this.#isOver(session)) this.#held.delete(key);
  }
}
