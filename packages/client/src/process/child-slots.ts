import { McpRateLimitedError } from '../error/error-family.js';

/** Gives up its child in favour of another one. */
export type Evictable = () => Promise<void>;

/** How many children there may be at once. */
export interface ChildSlots {
  /** Takes a place, at the cost of the child that was idle longest if need be; the result gives it back. */
  take(name: string): Promise<() => void>;
  /** Offers an idle child for eviction; the result withdraws the offer. */
  offer(evict: Evictable): () => void;
  used(): number;
}

export const createChildSlots = (max: number): ChildSlots => {
  // A set keeps the order of insertion: the one that was idle longest comes first.
  const idle = new Set<Evictable>();
  let used = 0;
  const full = (name: string): McpRateLimitedError =>
    new McpRateLimitedError('RATE_LIMITED', `"${name}" was not started: ${max} processes run already.`, {
      hint: 'Raise the limit of processes, or let idle servers be stopped earlier.',
      details: { max_processes: max },
      retryAfterMs: 1_000,
    });
  return {
    async take(name) {
      for (;;) {
        if (used < max) break;
        const evict = idle.values().next().value;
        if (evict === undefined) throw full(name);
        idle.delete(evict);
        await evict();
      }
      used += 1;
      let taken = true;
      return () => {
        if (taken) used -= 1;
        taken = false;
      };
    },
    offer(evict) {
      idle.add(evict);
      return () => idle.delete(evict);
    },
    used: () => used,
  };
};
