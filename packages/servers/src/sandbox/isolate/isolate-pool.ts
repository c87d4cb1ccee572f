import { compileEngine, type Engine } from './engine-module.js';
import type { AnswerGuest } from './host-calls.js';
import type { ConsoleLine, IsolateJob, RunOutcome, StopCode } from './isolate-job.js';
import { IsolateWorker } from './isolate-worker.js';

export interface IsolatePoolOptions {
  /** How many jobs run at once. */
  readonly size: number;
  /** How many more may wait. */
  readonly maxWaiting: number;
  /** A worker whose job took more memory is not used again: its thread would keep the memory. */
  readonly retireBytes?: number;
  readonly openWorker?: (engine: Engine) => PoolWorker;
}

export type PoolWorker = Pick<IsolateWorker, 'run' | 'end'>;

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onLine?: (line: ConsoleLine) => void;
  readonly answer?: AnswerGuest;
}

interface Waiting {
  readonly start: () => void;
}

export class PoolBusyError extends Error {
  override readonly name = 'PoolBusyError';
}

const RETIRE_BYTES = 16 * 1024 * 1024;

const stopped = (code: StopCode): RunOutcome => ({ kind: 'stopped', code, usage: { cpuMs: 0, memoryBytes: 0 } });

/** Runs jobs in worker threads, each job in an isolate of its own; a worker that was stopped is never used again. */
export class IsolatePool {
  readonly #options: IsolatePoolOptions;
  readonly #idle: PoolWorker[] = [];
  readonly #all = new Set<PoolWorker>();
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #engine: Promise<Engine> | undefined;
  #closed = false;

  constructor(options: IsolatePoolOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run(job: IsolateJob, { signal, onLine, answer }: RunOptions = {}): Promise<RunOutcome> {
    if (this.#closed || signal?.aborted === true) return stopped('CANCELLED');
    if (!(await this.#enter(signal))) return stopped('CANCELLED');
    try {
      const worker = await this.#worker();
      const outcome = await worker.run(job, { signal, onLine, answer });
      await this.#giveBack(worker, outcome);
      return outcome;
    } finally {
      this.#leave();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((worker) => worker.end()));
    this.#all.clear();
    this.#idle.length = 0;
  }

  /** False when the caller gave up before its turn came. */
  async #enter(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#running < this.#options.size) {
      this.#running += 1;
      return true;
    }
    if (this.#waiting.length >= this.#options.maxWaiting) throw new PoolBusyError();
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        resolve(false);
      };
      // A finished run hands its place over, so the count stays.
      const turn = {
        start: (): void => {
          signal?.removeEventListener('abort', giveUp);
          resolve(true);
        },
      };
      this.#waiting.push(turn);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next.start();
  }

  async #worker(): Promise<PoolWorker> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    this.#engine ??= compileEngine();
    const engine = await this.#engine;
    const worker = this.#options.openWorker?.(engine) ?? new IsolateWorker(engine);
    this.#all.add(worker);
    return worker;
  }

  async #giveBack(worker: PoolWorker, outcome: RunOutcome): Promise<void> {
    const reusable =
      outcome.kind !== 'stopped' && outcome.usage.memoryBytes <= (this.#options.retireBytes ?? RETIRE_BYTES);
    if (reusable && !this.#closed) {
      this.#idle.push(worker);
      return;
    }
    this.#all.delete(worker);
    await worker.end();
  }
}
