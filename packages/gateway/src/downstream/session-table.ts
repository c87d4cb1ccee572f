import { PlugboardError } from '@plugboard/contract';
import { bindingOfCaller, type Caller } from '../call/caller.js';
import type { Scope } from '../scope/scope.js';
import type { LegacySession } from './legacy-session.js';

/** A session with whatever its transport keeps beside it. */
export interface SessionHolder {
  readonly session: LegacySession;
}

export interface SessionTableOptions {
  /** How long a client may be silent, with nothing under way and no stream open, before it counts as gone. */
  readonly idleMs?: number | undefined;
  readonly maxSessions?: number | undefined;
  readonly now?: (() => number) | undefined;
}

const DEFAULT_IDLE_MS = 30 * 60_000;
const DEFAULT_MAX_SESSIONS = 10_000;

const unknown = (): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'There is no such session.', { hint: 'Send initialize to open a new one.' });

/** The sessions of legacy clients. Those that were abandoned end by themselves. */
export class SessionTable<Holder extends SessionHolder> {
  readonly #options: SessionTableOptions;
  readonly #holders = new Map<string, Holder>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: SessionTableOptions = {}) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.sweep(), Math.max(1000, Math.min(this.#idleMs / 4, 30_000)));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#holders.size;
  }

  add(holder: Holder): Holder {
    this.#makeRoom();
    this.#holders.set(holder.session.id, holder);
    holder.session.onEnd(() => this.#holders.delete(holder.session.id));
    return holder;
  }

  /** Throws NOT_FOUND (404) for a session that is over, was never there, or belongs to another endpoint or caller. */
  find(id: string, scope: Scope, caller: Caller): Holder {
    const holder = this.#holders.get(id);
    if (holder === undefined || holder.session.scope.id !== scope.id) throw unknown();
    if (bindingOfCaller(holder.session.client.caller) !== bindingOfCaller(caller)) throw unknown();
    holder.session.usedAt = this.#now();
    return holder;
  }

  /** For whoever looks for himself whether it may be used; that it is used, the session notes. */
  peek(id: string): Holder | undefined {
    return this.#holders.get(id);
  }

  all(): Iterable<Holder> {
    return this.#holders.values();
  }

  /** Ends what was abandoned. */
  sweep(): void {
    const limit = this.#now() - this.#idleMs;
    for (const { session } of this.#holders.values()) {
      if (!session.busy && session.usedAt <= limit) session.end();
    }
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const { session } of this.#holders.values()) session.end();
  }

  get #idleMs(): number {
    return this.#options.idleMs ?? DEFAULT_IDLE_MS;
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  /** At the limit, the one that was silent for longest makes room. */
  #makeRoom(): void {
    if (this.#holders.size < (this.#options.maxSessions ?? DEFAULT_MAX_SESSIONS)) return;
    let oldest: LegacySession | undefined;
    for (const { session } of this.#holders.values()) {
      if (!session.busy && (oldest === undefined || session.usedAt < oldest.usedAt)) oldest = session;
    }
    if (oldest === undefined) {
      throw new PlugboardError('RATE_LIMITED', 'The hub has as many sessions as it may have.', {
        hint: 'End sessions with DELETE, or try again later.',
        retryAfterMs: 5000,
      });
    }
    oldest.end();
  }
}
