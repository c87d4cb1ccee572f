import { toPlugboardError } from '@plugboard/contract';
import type { Log } from '../port/log.js';
import type { Catalogue } from './catalogue.js';

export interface WatchOptions {
  readonly catalogue: Catalogue;
  readonly log: Log;
  /** 0 for never. */
  readonly pollMs: number;
}

/** Looks for changes that other processes made. Says once when the store stops answering, and once when it is back. */
export const watchStore = ({ catalogue, log, pollMs }: WatchOptions): (() => void) => {
  if (pollMs <= 0) return () => undefined;
  let failing = false;
  const look = async (): Promise<void> => {
    try {
      await catalogue.refresh();
      if (failing) log.info('The store answers again.');
      failing = false;
    } catch (thrown) {
      const { code, message } = toPlugboardError(thrown);
      if (!failing) {
        log.warn('The store does not answer; the catalogue is served from memory.', { code, reason: message });
      }
      failing = true;
    }
  };
  const timer = setInterval(() => void look(), pollMs);
  timer.unref();
  return () => clearInterval(timer);
};
