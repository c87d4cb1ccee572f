import { createFairQueue } from '@plugboard/base';
import { abortedError, throwIfAborted } from '../error/aborted-error.js';
import { McpRateLimitedError } from '../error/error-family.js';
import { systemClock, type Clock } from '../deadline/clock.js';
import { refusedByUs } from '../error/own-refusal.js';

/** Gives up its child in favour of another one. */
export type Evictable = () => Promise<unknown>;

/** A child that nobody uses now. */
export interface IdleChild {
  /** Children of a lower rank are evicted first, even if they were used more recently. */
  readonly rank: number;
  /** Since when, on the clock of performance.now(). */
  readonly since: number;
  readonly evict: Evictable;
}

/** Names the idle child that its owner can best do without. */
export type IdleSource = () => IdleChild | undefined;

export interface SlotState {
  readonly max: number;
  readonly used: number;
  /** Starts that wait for a place. */
  readonly waiting: number;
  /** How many idle children were ended so far to make room. */
  readonly evicted: number;
}

export interface SlotRequest {
  /** The server: servers take turns. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called when there is no place at once; what it returns is called when the wait is over. */
  readonly onQueued?: (() => () => void) | undefined;
}

/** How many children there may be at once. */
export interface ChildSlots {
  /** Takes a place, at the cost of an idle child if need be, or waits for one; the result gives it back. */
  take(request: SlotRequest): Promise<() => void>;
  /** Offers an idle child for eviction; the result withdraws the offer. */
  offer(evict: Evictable): () => void;
  /** Asked for an idle child whenever somebody waits; the result ends that. */
  addSource(source: IdleSource): () => void;
  /** A child of a source became idle: a waiting start may take its place. */
  noteIdle(): void;
  state(): SlotState;
}

export interface ChildSlotsOptions {
  readonly max: number;
  /** How long a start may wait for a place. */
  readonly waitMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

const DEFAULT_SLOT_WAIT_MS = 300_000;

/** Children that their owners keep for later go before those that serve a client. */
const OFFERED_RANK = 1;
/** An evicted child whose place is not free after this long does not hold up the next eviction. */
const LINGER_MS = 1_000;

interface Waiter {
  readonly admit: () => void;
}

const best = (one: IdleChild | undefined, other: IdleChild | undefined): IdleChild | undefined => {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.rank !== other.rank) return one.rank < other.rank ? one : other;
  return one.since <= other.since ? one : other;
};

export const createChildSlots = ({
  max,
  waitMs = DEFAULT_SLOT_WAIT_MS,
  clock = systemClock,
}: ChildSlotsOptions): ChildSlots => {
  const offers = new Set<IdleChild>();
  const sources = new Set<IdleSource>();
  const queue = createFairQueue<Waiter>();
  /** Evictions whose place is not free yet: each of them serves one who waits. */
  const leaving = new Set<object>();
  let used = 0;
  let evicted = 0;

  const full = (name: string): McpRateLimitedError =>
    new McpRateLimitedError(
      'RATE_LIMITED',
      `"${name}" was not started: ${max} processes are running, and none became idle in time.`,
      {
        hint: 'Raise "processes.max" in plugboard.json if the machine has room for more, or end sessions that are no longer needed.',
        details: { ...refusedByUs, max_processes: max, waited_ms: waitMs },
        retryAfterMs: 1_000,
      },
    );
  const idlest = (): IdleChild | undefined => {
    let found: IdleChild | undefined;
    for (const offer of offers) found = best(found, offer);
    for (const source of sources) found = best(found, source());
    return found;
  };
  const evict = (child: IdleChild): void => {
    const token = {};
    leaving.add(token);
    offers.delete(child);
    evicted += 1;
    const forget = (): void => {
      clock.after(LINGER_MS, () => {
        if (leaving.delete(token)) serve();
      });
    };
    void child.evict().then(forget, forget);
  };
  /** Gives free places to those who wait, and makes room for the others. */
  const serve = (): void => {
    while (used < max) {
      const waiter = queue.take();
      if (waiter === undefined) return;
      used += 1;
      waiter.admit();
    }
    while (leaving.size < queue.size()) {
      const child = idlest();
      if (child === undefined) return;
      evict(child);
    }
  };
  const giveBack = (): (() => void) => {
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      used -= 1;
      const [token] = leaving;
      if (token !== undefined) leaving.delete(token);
      serve();
    };
  };
  const wait = async ({ name, signal, onQueued }: SlotRequest): Promise<void> => {
    const endWait = onQueued?.();
    let takeBack: () => void = () => undefined;
    let leaveQueue: () => void = () => undefined;
    let onAbort: () => void = () => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        leaveQueue = queue.add(name, { admit: resolve });
        // Out of the queue in the same moment: a place that nobody takes any more would be lost.
        const giveUp = (error: Error): void => {
          leaveQueue();
          reject(error);
        };
        takeBack = clock.after(waitMs, () => giveUp(full(name)));
        onAbort = () => giveUp(abortedError(signal, 'not-executed'));
        signal.addEventListener('abort', onAbort, { once: true });
        serve();
      });
    } finally {
      takeBack();
      signal.removeEventListener('abort', onAbort);
      endWait?.();
    }
  };

  return {
    async take(request) {
      throwIfAborted(request.signal, 'not-executed');
      // Nobody overtakes those who wait.
      if (used < max && queue.size() === 0) used += 1;
      else await wait(request);
      return giveBack();
    },
    offer(evictable) {
      const child: IdleChild = { rank: OFFERED_RANK, since: clock.now(), evict: evictable };
      offers.add(child);
      serve();
      return () => offers.delete(child);
    },
    addSource(source) {
      sources.add(source);
      return () => sources.delete(source);
    },
    noteIdle() {
      if (queue.size() > 0) serve();
    },
    state: () => ({ max, used, waiting: queue.size(), evicted }),
  };
};
