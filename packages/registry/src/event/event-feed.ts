import type { HubEvent } from '@plugboard/contract';
import type { Log } from '../port/log.js';

export type EventListener = (event: HubEvent) => void;

/** Hands every event to everyone who listens now. Nothing is kept. */
export class EventFeed {
  readonly #listeners = new Set<EventListener>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  emit(event: HubEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (thrown) {
        this.#log.error('A listener for events failed.', { error: String(thrown) });
      }
    }
  }

  /** Returns the way to stop listening. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }
}
