import type { PlugboardError } from '@plugboard/contract';
import { kitFailure } from '../failure/kit-failure.js';
import type { Received } from './received.js';

export interface WaitOptions {
  /** Default: 10 seconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

interface Waiter {
  readonly check: () => void;
}

const DEFAULT_WAIT_MS = 10_000;

/** Everything a fake received, in order, and a way to wait for what is still to come. */
export class ReceivedLog {
  #entries: Received[] = [];
  #position = 0;
  readonly #waiters = new Set<Waiter>();
  readonly #listeners = new Set<(entry: Received) => void>();

  get entries(): readonly Received[] {
    return this.#entries;
  }

  /** The JSON-RPC methods in the order of arrival. */
  methods(): readonly string[] {
    return this.#entries.filter((entry) => entry.kind === 'request' || entry.kind === 'notification').map(methodOf);
  }

  /** HTTP requests that carry no message: GET, DELETE, OPTIONS. */
  verbs(): readonly string[] {
    return this.#entries.filter((entry) => entry.kind === 'http').map(methodOf);
  }

  of(method: string): readonly Received[] {
    return this.#entries.filter((entry) => entry.method === method);
  }

  count(method: string): number {
    return this.of(method).length;
  }

  /** Forgets the past; waits and positions go on. */
  clear(): void {
    this.#entries = [];
  }

  /** Called with each entry from now on; the answer ends that. */
  subscribe(listener: (entry: Received) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once the nth message of this method has arrived; at once when it already has. */
  arrival(method: string, nth = 1, options: WaitOptions = {}): Promise<Received> {
    return this.until(() => this.of(method)[nth - 1], { ...options, what: `${method} number ${nth}` });
  }

  /** Resolves with what `find` gives as soon as that is not undefined; asked after each arrival. */
  until<T>(find: () => T | undefined, options: WaitOptions & { readonly what?: string } = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timeoutMs = options.timeoutMs ?? DEFAULT_WAIT_MS;
      const give = (act: () => void): void => {
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', onAbort);
        this.#waiters.delete(waiter);
        act();
      };
      const fail = (failure: Promise<PlugboardError>): void => give(() => void failure.then(reject));
      const onAbort = (): void => fail(kitFailure('CANCELLED', 'The wait was cancelled.', 'Its signal was aborted.'));
      const timer = setTimeout(() => fail(this.#missed(options.what, timeoutMs)), timeoutMs);
      const waiter: Waiter = {
        check: () => {
          const found = find();
          if (found !== undefined) give(() => resolve(found));
        },
      };
      this.#waiters.add(waiter);
      options.signal?.addEventListener('abort', onAbort, { once: true });
      if (options.signal?.aborted === true) onAbort();
      else waiter.check();
    });
  }

  record(entry: Omit<Received, 'position'>): void {
    this.#position += 1;
    const recorded = { position: this.#position, ...entry };
    this.#entries.push(recorded);
    for (const listener of this.#listeners) listener(recorded);
    this.wake();
  }

  /** Something that a wait may look at has changed without an arrival. */
  wake(): void {
    for (const waiter of this.#waiters) waiter.check();
  }

  #missed(what: string | undefined, timeoutMs: number): Promise<PlugboardError> {
    const seen = this.#entries.map(methodOf).join(', ') || 'nothing';
    const message = `The fake server waited ${timeoutMs} ms for ${what ?? 'a condition'}, and it did not come.`;
    return kitFailure('UPSTREAM_TIMEOUT', message, `It received: ${seen}.`);
  }
}

const methodOf = (entry: Received): string => entry.method;
