import { PlugboardError } from '@plugboard/contract';

export interface RunLimitsOptions {
  /** Runs of one caller at a time. */
  readonly perCaller?: number | undefined;
  /** Runs of all callers at a time. */
  readonly perHub?: number | undefined;
}

const PER_CALLER = 8;
const PER_HUB = 64;
const RETRY_MS = 2000;

const refusal = (limit: 'caller' | 'hub', most: number): PlugboardError =>
  new PlugboardError(
    'RATE_LIMITED',
    limit === 'caller'
      ? `This caller already has ${most} runs of agents in progress.`
      : `The hub already has ${most} runs of agents in progress.`,
    {
      hint: 'Wait until one of them has ended, or cancel one by closing its connection.',
      details: { limit, refused_by: 'plugboard' },
      retryAfterMs: RETRY_MS,
    },
  );

/** How many runs of agents there may be at a time: each holds its conversation in memory until the model has answered. */
export class RunLimits {
  readonly #perCaller: number;
  readonly #perHub: number;
  readonly #runs = new Map<string, number>();
  #all = 0;

  constructor({ perCaller = PER_CALLER, perHub = PER_HUB }: RunLimitsOptions = {}) {
    this.#perCaller = perCaller;
    this.#perHub = perHub;
  }

  /** Counts a run until the returned function is called, or the signal is aborted. Throws RATE_LIMITED. */
  enter(caller: string, signal: AbortSignal): () => void {
    signal.throwIfAborted();
    const own = this.#runs.get(caller) ?? 0;
    if (own >= this.#perCaller) throw refusal('caller', this.#perCaller);
    if (this.#all >= this.#perHub) throw refusal('hub', this.#perHub);
    this.#runs.set(caller, own + 1);
    this.#all += 1;
    let isOver = false;
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener('abort', leave);
      this.#leave(caller);
    };
    // The stream of a client that has already disconnected is never read, so it does not end.
    signal.addEventListener('abort', leave, { once: true });
    return leave;
  }

  #leave(caller: string): void {
    const left = (this.#runs.get(caller) ?? 1) - 1;
    if (left > 0) this.#runs.set(caller, left);
    else this.#runs.delete(caller);
    this.#all -= 1;
  }
}
