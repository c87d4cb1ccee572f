import { durationWords, type Hint } from '@plugboard/contract';
import { McpTimeoutError } from '../error/error-family.js';

/** What a deadline can end. */
export interface Endable {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

export interface CallDeadlineOptions {
  readonly ms: number;
  /** The longest time, however much progress there is. */
  readonly maxMs?: number | undefined;
  /** What of it has passed already. */
  readonly spentMs?: number | undefined;
  readonly parent?: AbortSignal | undefined;
  /** What it ends itself when time is up. When left out, it has a signal of its own, which also aborts with the parent. */
  readonly ends?: Endable | undefined;
  /** What did not happen in time, for the message: "answer the call". */
  readonly what: string;
  readonly host: string;
  /** What to do about it. */
  readonly hint?: Hint | undefined;
}

/** A signal that aborts when time is up or the parent aborts. Signs of life move the end, up to a bound. */
export class CallDeadline implements Disposable {
  readonly #ended: Endable;
  readonly #options: CallDeadlineOptions;
  readonly #startedAt: number;
  #onParentAbort: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(options: CallDeadlineOptions) {
    this.#options = options;
    this.#startedAt = performance.now() - (options.spentMs ?? 0);
    this.#ended = options.ends ?? this.#ownEnd(options.parent);
    if (!this.#ended.signal.aborted) this.#arm(options.spentMs);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** The server reported progress: the time starts again. */
  extend(): void {
    if (this.#timer !== undefined) this.#arm();
  }

  /** The other side waits for us: until the answer to this is called, no time passes for it. */
  pause(): () => void {
    this.#pauses += 1;
    clearTimeout(this.#timer);
    let paused = true;
    return () => {
      if (!paused) return;
      paused = false;
      this.#pauses -= 1;
      if (this.#timer !== undefined) this.#arm();
    };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#onParentAbort !== undefined) this.#options.parent?.removeEventListener('abort', this.#onParentAbort);
  }

  #ownEnd(parent: AbortSignal | undefined): Endable {
    const controller = new AbortController();
    if (parent === undefined) return controller;
    this.#onParentAbort = () => controller.abort(parent.reason);
    if (parent.aborted) this.#onParentAbort();
    else parent.addEventListener('abort', this.#onParentAbort, { once: true });
    return controller;
  }

  #arm(spentMs = 0): void {
    clearTimeout(this.#timer);
    if (this.#pauses > 0) return;
    const { ms, maxMs } = this.#options;
    const elapsed = performance.now() - this.#startedAt;
    const left = maxMs === undefined ? ms - spentMs : Math.min(ms - spentMs, maxMs - elapsed);
    this.#timer = setTimeout(() => this.#expire(), Math.max(0, left));
  }

  #expire(): void {
    const { what, host, ms, hint } = this.#options;
    const elapsed = Math.max(ms, Math.round(performance.now() - this.#startedAt));
    this.#ended.abort(
      new McpTimeoutError('UPSTREAM_TIMEOUT', `${host} did not ${what} within ${durationWords(elapsed)}.`, {
        hint: hint ?? 'The server hangs or needs more time. Look at its log, or raise the deadline.',
        delivery: 'ambiguous',
        details: { timeout_ms: ms },
      }),
    );
  }
}
