import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type KeptFailure,
  type KeyedRequest,
  type KeyedRequests,
  type KeyedWork,
  MAX_KEPT_CHARS,
  PlugboardError,
} from '@plugboard/contract';
import type { KeyedAttempt, KeyedRequestStore, KnownAttempt } from '../store/keyed-request-store.js';
import { deliveryOf } from './delivery.js';
import { type Allowance, KeyAllowance } from './key-allowance.js';
import { failureFrom, toKeptFailure } from './kept-failure.js';
import { outcome, type Outcome } from './outcome.js';
import { UnsavedOutcomes } from './unsaved-outcomes.js';

export interface StoredKeyedRequestsOptions {
  readonly store: KeyedRequestStore;
  /** What this process is known by; that of a process that ended never comes again. */
  readonly holder: string;
  /** Does another process with this name run? */
  readonly isRunning: (holder: string) => Promise<boolean>;
  /** Called when the store stops taking outcomes, not for each of them. */
  readonly onUnsaved: (error: unknown) => void;
  /** What one caller may leave in the store in 24 hours. */
  readonly perCaller?: Allowance | undefined;
  readonly retryMs?: number | undefined;
}

/** How long outcomes are kept. */
const KEEP_MS = 24 * 3_600_000;
/** An answer waits so long for its outcome to be stored; after that the outcome is stored behind it. */
const SETTLE_WAIT_MS = 1000;
const RETRY_MS = 1000;
/** About an hour, in which a repetition is told that the request is in progress. */
const RETRIES = 3600;
const SWEEP_MS = 600_000;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const reused = (): PlugboardError =>
  new PlugboardError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for another request within 24 hours.', {
    hint: 'Send a new key with each new request, and an old one only with the request that it belongs to.',
  });

const inUse = (): PlugboardError =>
  new PlugboardError('IDEMPOTENCY_KEY_IN_USE', 'The request with this idempotency key is still being carried out.', {
    hint: 'Repeat it in a moment to get its response.',
    retryAfterMs: 1000,
  });

const unknownOutcome = (): PlugboardError =>
  new PlugboardError(
    'AMBIGUOUS_DELIVERY',
    'The request with this idempotency key was started, and its outcome is unknown. It is not executed again.',
    { hint: 'Check whether it took effect. If it did not, send it again with a new key.' },
  );

const notKept = (): PlugboardError =>
  new PlugboardError('CONFLICT', 'The request with this idempotency key was executed. Its response was not stored.', {
    hint: 'Responses of more than 256 KiB, event streams and new keys are not stored, nor more than 256 MiB of one caller in 24 hours. Read the state that the request changed.',
  });

/**
 * Requests with an idempotency key are carried out once by all processes of a store. The attempt is stored before it begins
 * and its outcome before it is answered, so whatever happens in between is known to be unknown.
 */
export class StoredKeyedRequests implements KeyedRequests {
  readonly #options: StoredKeyedRequestsOptions;
  /** Attempts of this process whose outcome is not stored yet. */
  readonly #open = new Set<string>();
  readonly #closing = new AbortController();
  readonly #allowance: KeyAllowance;
  readonly #unsaved = new UnsavedOutcomes();
  #sweptAt = -Infinity;

  constructor(options: StoredKeyedRequestsOptions) {
    this.#options = options;
    this.#allowance = new KeyAllowance({ periodMs: KEEP_MS, perCaller: options.perCaller });
  }

  async run<Value>(
    { caller, key, content }: KeyedRequest,
    work: KeyedWork<Value>,
  ): Promise<{ readonly value: Value; readonly isRepeated: boolean }> {
    const asked: KeyedAttempt = {
      id: sha256(JSON.stringify([caller, key])),
      content: sha256(content),
      holder: this.#options.holder,
      attempt: randomUUID(),
    };
    this.#sweep();
    const known = await this.#admit(caller, asked);
    if (known === undefined) return { value: await this.#perform(asked, caller, work), isRepeated: false };
    if (known.content !== asked.content) throw reused();
    return { value: await this.#repeat(known, work), isRepeated: true };
  }

  /** What could not be stored yet stays open: a later repetition is told that the outcome is unknown. */
  close(): void {
    this.#closing.abort();
  }

  /** Begins a request, if its caller may still begin one. Those that were begun before are known whatever it used. */
  async #admit(caller: string, asked: KeyedAttempt): Promise<KnownAttempt | undefined> {
    const refused = this.#allowance.take(caller);
    let isNew = false;
    try {
      const known = await this.#begin(asked);
      isNew = known === undefined && refused === undefined;
      if (known !== undefined || refused === undefined) return known;
    } finally {
      if (refused === undefined && !isNew) this.#allowance.giveBack(caller);
    }
    await this.#settle(asked, undefined);
    throw refused;
  }

  async #begin(asked: KeyedAttempt): Promise<KnownAttempt | undefined> {
    this.#open.add(asked.attempt);
    try {
      const known = await this.#options.store.begin(asked, KEEP_MS);
      if (known !== undefined) this.#open.delete(asked.attempt);
      return known;
    } catch (thrown) {
      // The row may exist nevertheless. Nothing was carried out, so it is deleted when the store answers again.
      void this.#save(asked, undefined);
      throw thrown;
    }
  }

  async #perform<Value>(asked: KeyedAttempt, caller: string, work: KeyedWork<Value>): Promise<Value> {
    try {
      const value = await work.perform();
      const text = await work.write(value);
      const isKept = text !== undefined && text.length <= MAX_KEPT_CHARS && this.#allowance.keeps(caller, text.length);
      await this.#settle(asked, isKept ? { kind: 'answer', text } : { kind: 'not-kept' });
      return value;
    } catch (thrown) {
      const found = this.#outcomeOf(thrown, work.writeFailure);
      if (found === undefined) this.#allowance.giveBack(caller);
      await this.#settle(asked, found);
      throw thrown;
    }
  }

  /** Undefined when nothing was carried out. */
  #outcomeOf(thrown: unknown, write: (thrown: unknown) => KeptFailure = toKeptFailure): Outcome | undefined {
    switch (deliveryOf(thrown)) {
      case 'not-executed':
        return undefined;
      case 'answered':
        return { kind: 'failure', failure: write(thrown) };
      case 'ambiguous':
        return { kind: 'unknown' };
    }
  }

  async #repeat<Value>(known: KnownAttempt, { read, readFailure = failureFrom }: KeyedWork<Value>): Promise<Value> {
    const { holder, isRunning } = this.#options;
    if (known.outcome === undefined) {
      const isUnderWay = known.holder === holder ? this.#open.has(known.attempt) : await isRunning(known.holder);
      throw isUnderWay ? inUse() : unknownOutcome();
    }
    const kept = outcome.parse(JSON.parse(known.outcome));
    switch (kept.kind) {
      case 'answer':
        return read(kept.text);
      case 'failure':
        throw readFailure(kept.failure);
      case 'not-kept':
        throw notKept();
      case 'unknown':
        throw unknownOutcome();
    }
  }

  /** Waits for the store, but not for one that does not answer. */
  async #settle(asked: KeyedAttempt, found: Outcome | undefined): Promise<void> {
    const waited = new AbortController();
    try {
      await Promise.race([
        this.#save(asked, found),
        wait(SETTLE_WAIT_MS, undefined, { signal: waited.signal, ref: false }).catch(() => undefined),
      ]);
    } finally {
      waited.abort();
    }
  }

  async #save(asked: KeyedAttempt, found: Outcome | undefined): Promise<void> {
    const { store } = this.#options;
    const text = found === undefined ? undefined : JSON.stringify(found);
    const save = (): Promise<void> => (text === undefined ? store.forget(asked) : store.settle(asked, text));
    try {
      await save();
    } catch (thrown) {
      await this.#saveLater(save, text?.length ?? 0, thrown);
    }
    this.#open.delete(asked.attempt);
  }

  /** Gives up at once while too much waits already: then nobody knows how the request ended. */
  async #saveLater(save: () => Promise<void>, chars: number, reason: unknown): Promise<void> {
    const { onUnsaved, retryMs = RETRY_MS } = this.#options;
    const { signal } = this.#closing;
    if (this.#unsaved.count === 0) onUnsaved(reason);
    const leave = this.#unsaved.enter(chars);
    if (leave === undefined) return;
    try {
      for (let attempt = 1; attempt <= RETRIES && !signal.aborted; attempt += 1) {
        await wait(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
        const isSaved = await save().then(
          () => true,
          () => false,
        );
        if (isSaved) return;
      }
    } finally {
      leave();
    }
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    // What is left over is removed next time, and does not count meanwhile.
    void this.#options.store.forgetOlder(KEEP_MS).catch(() => undefined);
  }
}
