import type { ServerId } from '@plugboard/contract';

export interface SyncTriggerOptions {
  /** How long notices are gathered before the server is asked. */
  readonly debounceMs: number;
  /** The longest pause for a server whose notices keep coming although nothing changes. */
  readonly maxDebounceMs: number;
  /** Resolves when no sync of the server is running: its list may be older than the notice. */
  readonly settled: (id: ServerId) => Promise<void>;
  /** Syncs and tells whether anything changed. Must not reject. */
  readonly sync: (id: ServerId) => Promise<boolean>;
}

interface Pending {
  timer: NodeJS.Timeout | undefined;
  /** How many notices in a row brought no change. */
  idleRounds: number;
}

/**
 * Turns notices that a server's tools changed into syncs: many notices make one sync, and a server whose notices bring no
 * change (some send one after every list) is synced less and less often.
 */
export class SyncTrigger {
  readonly #options: SyncTriggerOptions;
  readonly #pending = new Map<ServerId, Pending>();
  #closed = false;

  constructor(options: SyncTriggerOptions) {
    this.#options = options;
  }

  notice(id: ServerId): void {
    if (this.#closed) return;
    const pending = this.#pending.get(id) ?? { timer: undefined, idleRounds: 0 };
    this.#pending.set(id, pending);
    if (pending.timer !== undefined) return;
    const { debounceMs, maxDebounceMs } = this.#options;
    const delay = Math.min(debounceMs * 2 ** Math.min(pending.idleRounds, 16), maxDebounceMs);
    pending.timer = setTimeout(() => {
      pending.timer = undefined;
      this.#run(id, pending).catch(() => undefined);
    }, delay);
    pending.timer.unref();
  }

  forget(id: ServerId): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
  }

  close(): void {
    this.#closed = true;
    for (const id of this.#pending.keys()) this.forget(id);
  }

  async #run(id: ServerId, pending: Pending): Promise<void> {
    await this.#options.settled(id);
    if (this.#pending.get(id) !== pending) return;
    const changed = await this.#options.sync(id);
    pending.idleRounds = changed ? 0 : pending.idleRounds + 1;
  }
}
