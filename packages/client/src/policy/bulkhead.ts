import { createFairQueue } from '@plugboard/base';
import { abortedError, throwIfAborted } from '../error/aborted-error.js';
import { McpRateLimitedError } from '../error/error-family.js';
import { systemClock, type Clock } from '../deadline/clock.js';
import { refusedByUs } from '../error/own-refusal.js';
import type { CallContext, Policy } from './policy.js';

export interface BulkheadOptions {
  /** Calls in flight at the same time. */
  readonly maxConcurrent: number;
  /** Calls that may wait for a place; one more is refused at once. */
  readonly maxQueued: number;
  /** How long a call may wait for a place. */
  readonly maxWaitMs: number;
  readonly clock?: Clock | undefined;
}

export interface Bulkhead {
  readonly policy: Policy;
  /** Takes a place when one is free and nobody waits. */
  tryEnter(): boolean;
  /** Gives a place back. */
  leave(): void;
  state(): { readonly running: number; readonly queued: number };
}

const fullError = (context: CallContext, sentence: string, retryAfterMs: number): McpRateLimitedError =>
  new McpRateLimitedError('RATE_LIMITED', `The server "${context.serverName}" is busy: ${sentence}.`, {
    hint: 'Retry later, or make fewer concurrent calls.',
    details: refusedByUs,
    retryAfterMs,
  });

/** Limits the calls to one server that are in flight, with a fair queue between callers. */
export const createBulkhead = (options: BulkheadOptions): Bulkhead => {
  const clock = options.clock ?? systemClock;
  const queue = createFairQueue<() => void>();
  let running = 0;

  const admit = (context: CallContext): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        takeBack();
        context.signal.removeEventListener('abort', onAbort);
        finish();
      };
      const leave = queue.add(context.caller ?? '', () => settle(resolve));
      const takeBack = clock.after(options.maxWaitMs, () => {
        leave();
        settle(() => reject(fullError(context, `no call finished within ${options.maxWaitMs} ms`, options.maxWaitMs)));
      });
      const onAbort = (): void => {
        leave();
        settle(() => reject(abortedError(context.signal, 'not-executed')));
      };
      context.signal.addEventListener('abort', onAbort, { once: true });
    });

  /** The place goes straight to the next in the queue, so a newcomer cannot slip in between. */
  const handOver = (): void => {
    const enter = queue.take();
    if (enter === undefined) running -= 1;
    else enter();
  };

  /** Undefined when there is a place at once. */
  const enter = (context: CallContext): Promise<void> | undefined => {
    if (context.place?.take() === true) return undefined;
    throwIfAborted(context.signal, 'not-executed');
    if (running >= options.maxConcurrent) {
      if (queue.size() < options.maxQueued) return admit(context);
      throw fullError(context, `${running} calls are in flight and ${queue.size()} wait`, options.maxWaitMs);
    }
    running += 1;
    return undefined;
  };

  const policy: Policy = async (context, next) => {
    const wait = enter(context);
    if (wait !== undefined) await wait;
    try {
      return await next(context);
    } finally {
      handOver();
    }
  };
  return {
    policy,
    tryEnter: () => {
      if (running >= options.maxConcurrent || queue.size() > 0) return false;
      running += 1;
      return true;
    },
    leave: handOver,
    state: () => ({ running, queued: queue.size() }),
  };
};
