import { PlugboardError } from '@plugboard/contract';
import { bindingOfCaller, type Caller } from '../call/caller.js';
import type { Scope } from '../call/scope.js';
import type { LegacySession } from './legacy-session.js';

/** A session with whatever its transport keeps beside it. */
export interface SessionHolder {
  readonly session: LegacySession;
}

export interface SessionTableOptions {
  /** How long a client may be silent, with nothing in progress and no stream open, before it counts as gone. */
  readonly idleMs?: number | undefined;
  readonly maxSessions?: number | undefined;
  /** For one caller. */
  readonly maxPerCaller?: number | undefined;
  readonly now?: (() => number) | undefined;
}

export const DEFAULT_IDLE_MS = 30 * 60_000;
export const DEFAULT_MAX_SESSIONS = 10_000;
export const DEFAULT_MAX_PER_CALLER = 2500;

const unknown = (): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'The session does not exist or has expired.', {
    hint: 'Send initialize to open a new one.',
  });

const noRoom = (whose: string): PlugboardError =>
  new PlugboardError('RATE_LIMITED', `${whose} as many sessions as it may have, and all of them are in use.`, {
    hint: 'End sessions with DELETE, or try again later. An operator can raise bounds.sessions and bounds.sessionsPerCaller.',
    retryAfterMs: 5000,
  });

/** The one to give up: of those with nothing in progress one that was never used, else the one that was silent for longest. */
const leastNeeded = (holders: Iterable<SessionHolder>): LegacySession | undefined => {
  let found: LegacySession | undefined;
  for (const { session } of holders) {
    if (session.busy) continue;
    const isBetter =
      found === undefined || (session.wasUsed === found.wasUsed ? session.usedAt < found.usedAt : found.wasUsed);
    if (isBetter) found = session;
  }
  return found;
};

/** The sessions of legacy clients. Those that were abandoned end by themselves. */
export class SessionTable<Holder extends SessionHolder> {
  readonly #options: SessionTableOptions;
  readonly #holders = new Map<string, Holder>();
  readonly #byCaller = new Map<string, Set<Holder>>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: SessionTableOptions = {}) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.sweep(), Math.max(1000, Math.min(this.#idleMs / 4, 30_000)));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#holders.size;
  }

  /** Throws RATE_LIMITED when there is no room for one more. */
  add(holder: Holder): Holder {
    const { session } = holder;
    const { principal } = session.client.caller;
    this.#makeRoom(principal);
    const own = this.#byCaller.get(principal) ?? new Set();
    this.#byCaller.set(principal, own.add(holder));
    this.#holders.set(session.id, holder);
    session.onEnd(() => {
      this.#holders.delete(session.id);
      own.delete(holder);
      if (own.size === 0 && this.#byCaller.get(principal) === own) this.#byCaller.delete(principal);
    });
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

  /** For callers that check themselves whether it may be used; the session records the use. */
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

  /** A caller at its limit loses one of its own sessions. When the total is too large, the caller with the most sessions loses one. */
  #makeRoom(principal: string): void {
    const own = this.#byCaller.get(principal);
    if ((own?.size ?? 0) >= (this.#options.maxPerCaller ?? DEFAULT_MAX_PER_CALLER)) {
      this.#giveUp(own ?? [], 'This caller has');
    }
    if (this.#holders.size < (this.#options.maxSessions ?? DEFAULT_MAX_SESSIONS)) return;
    const callers = [...this.#byCaller.values()].toSorted((one, other) => other.size - one.size);
    const most = callers.find((holders) => leastNeeded(holders) !== undefined);
    this.#giveUp(most ?? [], 'The hub has');
  }

  #giveUp(holders: Iterable<Holder>, whose: string): void {
    const session = leastNeeded(holders);
    if (session === undefined) throw noRoom(whose);
    session.end();
  }
}
