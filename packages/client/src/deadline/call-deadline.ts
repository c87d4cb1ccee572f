import { durationWords, type Hint } from '@plugboard/contract';
import { McpTimeoutError } from '../error/error-family.js';

export interface CallDeadlineOptions {
  readonly ms: number;
  /** The longest time, however much progress there is. */
  readonly maxMs?: number | undefined;
  /** What of it has passed already. */
  readonly spentMs?: number | undefined;
  readonly parent?: AbortSignal | undefined;
  /** What did not happen in time, for the message: "answer the call". */
  readonly what: string;
  readonly host: string;
  /** What to do about it. */
  readonly hint?: Hint | undefined;
}

/** A signal that aborts when time is up or the parent aborts. Signs of life move the end, up to a bound. */
export class CallDeadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #options: CallDeadlineOptions;
  readonly #startedAt: number;
  readonly #onParentAbort = (): void => this.#controller.abort(this.#options.parent?.reason);
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(options: CallDeadlineOptions) {
    this.#options = options;
    this.#startedAt = performance.now() - (options.spentMs ?? 0);
    if (options.parent?.aborted === true) {
      this.#onParentAbort();
      return;
    }
    options.parent?.addEventListener('abort', this.#onParentAbort, { once: true });
    this.#arm(options.spentMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
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
    this.#options.parent?.removeEventListener('abort', this.#onParentAbort);
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
    this.#controller.abort(
      new McpTimeoutError('UPSTREAM_TIMEOUT', `${host} did not ${what} within ${durationWords(elapsed)}.`, {
        hint: hint ?? 'The server hangs or needs more time. Look at its log, or raise the deadline.',
        delivery: 'ambiguous',
        details: { timeout_ms: ms },
      }),
    );
  }
}
