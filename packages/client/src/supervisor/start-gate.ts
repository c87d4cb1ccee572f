import { availableParallelism } from 'node:os';
import { abortedError, throwIfAborted } from '../error/aborted-error.js';
import { systemClock, type Clock } from '../deadline/clock.js';
import type { LaunchedProcess } from './launch-process.js';

/** What a start needs to say to be let in. */
export interface StartRequest {
  readonly signal: AbortSignal;
  /** Called when it has to wait; what it returns is called when the wait is over. */
  readonly onQueued?: (() => () => void) | undefined;
}

/** Lets only so many children start at once: if hundreds start together, all miss their deadline. */
export interface StartGate {
  /** Waits for its turn; the result says that the start is over. */
  enter(request: StartRequest): Promise<() => void>;
}

const STARTS_PER_CORE = 4;
const FEWEST = 8;

export const createStartGate = (max = Math.max(FEWEST, STARTS_PER_CORE * availableParallelism())): StartGate => {
  const waiting = new Set<() => void>();
  let starting = 0;
  let isScheduled = false;
  /** One start per turn of the event loop: a spawn blocks it, and other work must run in between. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const [next] = waiting;
      if (next === undefined || starting >= max) return;
      waiting.delete(next);
      starting += 1;
      next();
      schedule();
    });
  };
  return {
    async enter({ signal, onQueued }) {
      throwIfAborted(signal, 'not-executed');
      const endWait = onQueued?.();
      let onAbort: () => void = () => undefined;
      try {
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve);
          onAbort = () => {
            waiting.delete(resolve);
            reject(abortedError(signal, 'not-executed'));
          };
          signal.addEventListener('abort', onAbort, { once: true });
          schedule();
        });
      } finally {
        signal.removeEventListener('abort', onAbort);
        endWait?.();
      }
      let isStarting = true;
      return () => {
        if (!isStarting) return;
        isStarting = false;
        starting -= 1;
        schedule();
      };
    },
  };
};

const LOOK_MS = 20;
/** A child that is silent for so long waits for something else than a processor. */
const START_MS = 2_000;

/** Calls back once, when the child has written something, has ended, or has taken its time. */
export const onceStarted = (child: LaunchedProcess, started: () => void, clock: Clock = systemClock): void => {
  const until = clock.now() + START_MS;
  let takeBack: () => void = () => undefined;
  const look = (): void => {
    // Polled: a listener would take the output away from its reader.
    const { bytesRead = 0 } = child.stdout as { readonly bytesRead?: number };
    if (bytesRead > 0 || clock.now() >= until) started();
    else takeBack = clock.after(LOOK_MS, look);
  };
  look();
  void child.exited.then(() => {
    takeBack();
    return started();
  });
};
