import { abortable, cancelled } from './abortable.js';

interface Run<Result> {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that several callers may want at the same time is done once; it is aborted when none of them waits any more. */
export class SharedRuns<Result> {
  readonly #runs = new Map<string, Run<Result>>();
  /** All that have not ended yet, those that were aborted included. */
  readonly #unsettled = new Set<Promise<Result>>();

  async join(key: string, start: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const run = this.#runs.get(key) ?? this.#start(key, start);
    run.waiting += 1;
    try {
      return await (signal === undefined ? run.result : abortable(run.result, signal));
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) this.#end(key, run);
    }
  }

  /** Resolves when the run that is under way, if any, is over. */
  async settled(key: string): Promise<void> {
    await this.#runs.get(key)?.result.catch(() => undefined);
  }

  async abort(key: string): Promise<void> {
    const run = this.#runs.get(key);
    run?.controller.abort(cancelled());
    await run?.result.catch(() => undefined);
  }

  async abortAll(): Promise<void> {
    for (const run of this.#runs.values()) run.controller.abort(cancelled());
    await Promise.allSettled(this.#unsettled);
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<Result>): Run<Result> {
    const controller = new AbortController();
    const run: Run<Result> = { result: start(controller.signal), controller, waiting: 0 };
    this.#runs.set(key, run);
    this.#unsettled.add(run.result);
    const onEnd = (): void => {
      this.#unsettled.delete(run.result);
      this.#forget(key, run);
    };
    run.result.then(onEnd, onEnd);
    return run;
  }

  // A newcomer must not join a run that is being aborted.
  #end(key: string, run: Run<Result>): void {
    this.#forget(key, run);
    run.controller.abort(cancelled());
  }

  #forget(key: string, run: Run<Result>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}
