import { Worker } from 'node:worker_threads';
import type { Engine } from './engine-module.js';
import type { AnswerGuest } from './host-calls.js';
import type { ConsoleLine, IsolateJob, RunOutcome, StopCode } from './isolate-job.js';
import type { FromWorker, ToWorker, WorkerData } from './worker-messages.js';

// The compiled entry, seen alike from src and from dist.
const ENTRY = new URL('../../../dist/sandbox/isolate/isolate-worker-entry.js', import.meta.url);
const START_DEADLINE_MS = 30_000;

export interface WorkerRunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onLine?: ((line: ConsoleLine) => void) | undefined;
  /** Answers what the code asks of the host. */
  readonly answer?: AnswerGuest | undefined;
}

/**
 * One thread that runs one job at a time. The job's own limits hold inside of it; from outside it is ended for good at
 * its deadline, so that code which the engine cannot interrupt ends as well.
 */
export class IsolateWorker {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #exited = false;
  #run = 0;

  constructor(engine: Engine) {
    const workerData: WorkerData = { engine };
    this.#worker = new Worker(ENTRY, {
      workerData,
      name: 'isolate',
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    this.#worker.unref();
    // Errors are told by 'exit' as well; unheard they would end the process.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => {
      this.#exited = true;
    });
    this.#ready = new Promise((resolve) => {
      this.#worker.once('message', () => resolve());
      this.#worker.once('exit', () => resolve());
      setTimeout(resolve, START_DEADLINE_MS).unref();
    });
  }

  async run(job: IsolateJob, { signal, onLine, answer }: WorkerRunOptions): Promise<RunOutcome> {
    await this.#ready;
    const started = performance.now();
    const cleanUp: (() => void)[] = [];
    try {
      return await new Promise<RunOutcome>((resolve) => {
        const stop = (code: StopCode): void => {
          const usage = { cpuMs: Math.round(performance.now() - started), memoryBytes: 0 };
          resolve({ kind: 'stopped', code, usage });
        };
        this.#worker.ref();
        cleanUp.push(() => this.#worker.unref());
        cleanUp.push(this.#listen({ onLine, answer, resolve, stop }));
        const deadline = setTimeout(() => stop('TIME_LIMIT'), job.limits.timeMs);
        cleanUp.push(() => clearTimeout(deadline));
        const cancel = (): void => stop('CANCELLED');
        if (signal?.aborted === true) cancel();
        signal?.addEventListener('abort', cancel, { once: true });
        cleanUp.push(() => signal?.removeEventListener('abort', cancel));
        if (this.#exited) stop('ENGINE_FAULT');
        this.#run += 1;
        const message: ToWorker = { kind: 'job', job, run: this.#run };
        this.#worker.postMessage(message, []);
      });
    } finally {
      for (const undo of cleanUp) undo();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #answer(
    { run, call, text }: Extract<FromWorker, { kind: 'question' }>,
    answer: AnswerGuest | undefined,
  ): Promise<void> {
    const reply = await (answer?.(text) ?? Promise.resolve('')).catch(() => '');
    // A later run of this thread has questions of its own.
    if (run !== this.#run || this.#exited) return;
    const message: ToWorker = { kind: 'answer', run, call, text: reply };
    this.#worker.postMessage(message, []);
  }

  #listen({ onLine, answer, resolve, stop }: Listening): () => void {
    const onMessage = (message: FromWorker): void => {
      if (message.kind === 'line') onLine?.(message.line);
      if (message.kind === 'question') void this.#answer(message, answer);
      if (message.kind === 'outcome') resolve(message.outcome);
    };
    const onError = (error: NodeJS.ErrnoException): void =>
      stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'MEMORY_LIMIT' : 'ENGINE_FAULT');
    const onExit = (): void => stop('ENGINE_FAULT');
    this.#worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    return () => void this.#worker.off('message', onMessage).off('error', onError).off('exit', onExit);
  }
}

interface Listening {
  readonly answer: AnswerGuest | undefined;
  readonly onLine: ((line: ConsoleLine) => void) | undefined;
  readonly resolve: (outcome: RunOutcome) => void;
  readonly stop: (code: StopCode) => void;
}
