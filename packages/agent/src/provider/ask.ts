import { deadlineSignal, linkSignals } from '@plugboard/base';
import type { ModelAnswer } from '../conversation/model-answer.js';
import type { ModelEvent } from '../conversation/model-event.js';
import type { AskOptions } from './provider.js';
import { ModelError } from './error/model-error.js';

export interface AskParts {
  readonly provider: string;
  /** What the SDK threw, as one of our errors. */
  readonly explain: (thrown: unknown) => Promise<unknown>;
}

const REQUEST_MS = 60_000;
const STREAM_MS = 600_000;

/** One signal for a request: that of the caller, and the end of its time. */
class TimeLimit implements Disposable {
  readonly #user: AbortSignal | undefined;
  readonly #deadline: ReturnType<typeof deadlineSignal>;
  readonly #linked: ReturnType<typeof linkSignals>;

  constructor({ signal, timeoutMs }: AskOptions, defaultMs: number) {
    signal?.throwIfAborted();
    this.#user = signal;
    this.#deadline = deadlineSignal(timeoutMs ?? defaultMs);
    this.#linked = linkSignals(signal, this.#deadline.signal);
  }

  get signal(): AbortSignal {
    return this.#linked.signal;
  }

  /** What the caller should see: who cancels gets the own reason, and the end of the time is not called a broken connection. */
  explain(thrown: unknown, provider: string): unknown {
    if (this.#user?.aborted === true) return this.#user.reason;
    return this.#deadline.signal.aborted ? new ModelError('timeout', { provider, cause: thrown }) : thrown;
  }

  [Symbol.dispose](): void {
    this.#linked[Symbol.dispose]();
    this.#deadline[Symbol.dispose]();
  }
}

/** Makes one request within its time. */
export const ask = async <Answer = ModelAnswer>(
  { provider, explain }: AskParts,
  options: AskOptions,
  send: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  using limit = new TimeLimit(options, REQUEST_MS);
  try {
    return await send(limit.signal);
  } catch (thrown) {
    throw limit.explain(await explain(thrown), provider);
  }
};

/** Reads one stream within its time. Who stops reading ends the request. */
export const askStream = async function* (
  { provider, explain }: AskParts,
  options: AskOptions,
  open: (signal: AbortSignal) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  using limit = new TimeLimit(options, STREAM_MS);
  try {
    for await (const event of open(limit.signal)) {
      limit.signal.throwIfAborted();
      yield event;
    }
  } catch (thrown) {
    throw limit.explain(await explain(thrown), provider);
  }
};
