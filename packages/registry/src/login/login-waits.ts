import type { OAuthStore } from '../store/oauth-store.js';

/** Another process may take the answer of a login that is waited for here. */
const LOOK_MS = 1000;

/** Lets callers wait for the end of a login: told at once by this process, and found in the store when by another. */
export class LoginWaits {
  readonly #store: OAuthStore;
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(store: OAuthStore) {
    this.#store = store;
  }

  /** The login ended, in whichever way. */
  tell(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener();
  }

  /** Resolves when the login is over or the time is up. Rejects when the signal aborts. */
  async settled(id: string, ms: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ms;
    for (;;) {
      signal.throwIfAborted();
      const login = await this.#store.login(id);
      if (login === undefined || login.status === 'authorized' || login.status === 'error') return;
      const left = until - performance.now();
      if (left <= 0) return;
      await this.#toldOrLater(id, Math.min(left, LOOK_MS), signal);
    }
  }

  #toldOrLater(id: string, ms: number, signal: AbortSignal): Promise<void> {
    const listeners = this.#listeners.get(id) ?? new Set<() => void>();
    this.#listeners.set(id, listeners);
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        listeners.delete(end);
        if (listeners.size === 0) this.#listeners.delete(id);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      listeners.add(end);
    });
  }
}
