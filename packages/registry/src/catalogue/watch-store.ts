import { toPlugboardError } from '@plugboard/contract';
import type { Log } from '../port/log.js';
import type { Catalogue } from './catalogue.js';

export interface WatchOptions {
  readonly catalogue: Catalogue;
  readonly log: Log;
  /** 0 for never. */
  readonly pollMs: number;
  /** Announces changes where the store can; what it misses is found by looking. */
  readonly announced?: ((listener: () => Promise<void>) => (() => Promise<void>) | undefined) | undefined;
  /** Reads again what else is in memory. It is read now and then in any case. */
  readonly reread: () => Promise<unknown>;
}

/** Looks for changes that other processes made. Says once when the store stops answering, and once when it is back. */
export const watchStore = ({ catalogue, log, pollMs, announced, reread }: WatchOptions): (() => Promise<void>) => {
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
  const stopListening = announced?.(async () => void (await Promise.all([look(), reread().catch(() => undefined)])));
  return async () => {
    clearInterval(timer);
    await stopListening?.();
  };
};
