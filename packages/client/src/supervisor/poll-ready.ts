import { sleep, systemClock, type Clock } from '../deadline/clock.js';

export interface PollOptions {
  /** Ends the polling; a start-up deadline does so. */
  readonly signal: AbortSignal;
  readonly everyMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

const defaultEveryMs = 50;

/** For servers that need a while before they listen: the handshake again and again, until it succeeds. */
export const pollReady = async <C>(
  handshake: (signal: AbortSignal) => Promise<C>,
  { signal, everyMs = defaultEveryMs, clock = systemClock }: PollOptions,
): Promise<C> => {
  for (;;) {
    try {
      return await handshake(signal);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
    }
    await sleep(clock, everyMs, signal);
  }
};
