import type { CheckRunEvent } from '@plugboard/contract';
import type { CheckRunListener } from '@plugboard/registry';

/** The events of one run, in order, for readers that join late. */
export class RunLog {
  readonly #events: CheckRunEvent[] = [];
  readonly #listeners = new Set<CheckRunListener>();
  #ended = false;

  put(event: CheckRunEvent): void {
    this.#events.push(event);
    for (const listener of this.#listeners) listener.event(this.#events.length, event);
  }

  end(): void {
    this.#ended = true;
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }

  /** First the events after the one with this number, then those to come. Returns the way to stop listening. */
  watch(after: number, listener: CheckRunListener): () => void {
    for (const [index, event] of this.#events.entries()) {
      if (index >= after) listener.event(index + 1, event);
    }
    if (this.#ended) {
      listener.end();
      return () => undefined;
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
