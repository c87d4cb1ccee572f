import { toPlugboardError } from '@plugboard/contract';
import type { Log } from '../port/log.js';
import type { Catalogue } from './catalogue.js';

export interface WatchOptions {
  readonly catalogue: Catalogue;
  readonly log: Log;
  /** 0 for never. */
  readonly pollMs: number;
  /** Announces changes where the store can; what it misses is found by looking. */
  readonly announced?: ((listener: () => void) => (() => Promise<void>) | undefined) | undefined;
}

/** Looks for changes that other processes made. Says once when the store stops answering, and once when it is back. */
export const watchStore = ({ catalogue, log, pollMs, announced }: WatchOptions): (() => Promise<void>) => {
  if (pollMs <= 0) return () => Promise.resolve();
  let failing = false;
  const look = async (): Promise<void> => {
    try {
      await catalogue.refresh();
      if (failing) log.info('The store is available again.');
      failing = false;
    } catch (thrown) {
      const { code, message } = toPlugboardError(thrown);
      if (!failing) {
        log.warn('The store is not available. The catalogue is served from memory.', { code, reason: message });
      }
      failing = true;
    }
  };
  const timer = setInterval(() => void look(), pollMs);
  timer.unref();
  const stopListening = announced?.(() => void look());
  return async () => {
    clearInterval(timer);
    await stopListening?.();
  };
};
