import { abortable, cancelled } from './abortable.js';

interface Run<Result> {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that several callers may want at the same time is done once; it is aborted when none of them waits any more. */
export class SharedRuns<Result> {
  readonly #runs = new Map<string, Run<Result>>();

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
    await Promise.all([...this.#runs.keys()].map((key) => this.abort(key)));
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<Result>): Run<Result> {
    const controller = new AbortController();
    const run: Run<Result> = { result: start(controller.signal), controller, waiting: 0 };
    this.#runs.set(key, run);
    run.result
      .catch(() => undefined)
      .finally(() => this.#forget(key, run))
      .catch(() => undefined);
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
