import type { Clock, Random } from '../deadline/clock.js';

export type RestartMode = 'never' | 'on-failure' | 'always';

export interface RestartPolicy {
  readonly mode: RestartMode;
  /** More restarts than this within the window are a crash loop. */
  readonly maxRestarts: number;
  readonly windowMs: number;
  /** The first restart comes at once, the second after up to this long, each further one after twice as long. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

export const defaultRestartPolicy: RestartPolicy = {
  mode: 'on-failure',
  maxRestarts: 5,
  windowMs: 60_000,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
};

export type RestartVerdict =
  | { readonly kind: 'restart'; readonly delayMs: number }
  | { readonly kind: 'crash-loop'; readonly retryAfterMs: number; readonly failures: number };

/** How often a server may fail before it is left alone for a while. */
export interface RestartBudget {
  /** Notes a failure and says what comes of it. */
  spend(): RestartVerdict;
  /** Forgets the past, when somebody repaired the server by hand. */
  reset(): void;
}

export interface RestartBudgetOptions {
  readonly policy: RestartPolicy;
  readonly clock: Clock;
  readonly random: Random;
}

export const createRestartBudget = ({ policy, clock, random }: RestartBudgetOptions): RestartBudget => {
  let failures: number[] = [];
  return {
    spend() {
      const now = clock.now();
      failures = [...failures.filter((at) => at > now - policy.windowMs), now];
      const count = failures.length;
      if (count > policy.maxRestarts) {
        // Room for one more try when enough of them have left the window.
        const oldest = failures.at(-policy.maxRestarts) ?? now;
        return { kind: 'crash-loop', retryAfterMs: Math.ceil(oldest + policy.windowMs - now), failures: count };
      }
      const ceiling = Math.min(policy.baseDelayMs * 2 ** (count - 2), policy.maxDelayMs);
      // Half of the wait is certain, the other half spreads servers that fell together.
      return { kind: 'restart', delayMs: count === 1 ? 0 : ceiling / 2 + (random() * ceiling) / 2 };
    },
    reset() {
      failures = [];
    },
  };
};
