import { DocumentError } from '../document-error.js';
import type { ConvertedDocument } from './convert.js';
import { ConverterProcess, type ConverterCall } from './converter-process.js';

export interface ConverterPoolOptions {
  readonly size?: number;
  /** How many may wait for a process. */
  readonly maxWaiting?: number;
  /** A process that had this many documents makes room for a fresh one. */
  readonly callsPerProcess?: number;
  readonly idleMs?: number;
  readonly start?: () => ConverterProcess;
}

type Wake = () => void;

/** A few processes that convert, started when needed and ended when idle. */
export class ConverterPool {
  readonly #options: Required<ConverterPoolOptions>;
  readonly #idle: ConverterProcess[] = [];
  readonly #waiting: Wake[] = [];
  readonly #all = new Set<ConverterProcess>();
  #busy = 0;
  #closed = false;
  #retire: NodeJS.Timeout | undefined;

  constructor(options: ConverterPoolOptions = {}) {
    this.#options = {
      size: 2,
      maxWaiting: 64,
      callsPerProcess: 50,
      idleMs: 60_000,
      start: () => new ConverterProcess(),
      ...options,
    };
  }

  get running(): number {
    return this.#all.size;
  }

  async convert(call: ConverterCall): Promise<ConvertedDocument> {
    await this.#turn(call.signal);
    const process = this.#take();
    try {
      return await process.convert(call);
    } finally {
      this.#release(process);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retire);
    for (const process of this.#all) process.kill();
    this.#all.clear();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Waits until fewer than `size` conversions run; the caller then counts as one of them. */
  async #turn(signal: AbortSignal): Promise<void> {
    const { size, maxWaiting } = this.#options;
    if (this.#busy >= size) {
      if (this.#waiting.length >= maxWaiting) {
        throw new DocumentError('BUSY', 'Too many documents wait to be converted.', 'Try again in a moment.');
      }
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(wake), 1);
          reject(new DocumentError('CANCELLED', 'The conversion was cancelled.'));
        };
        const wake = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        if (signal.aborted) throw new DocumentError('CANCELLED', 'The conversion was cancelled.');
        signal.addEventListener('abort', onAbort, { once: true });
        this.#waiting.push(wake);
      });
    } else {
      this.#busy += 1;
    }
    if (this.#closed) throw new DocumentError('CANCELLED', 'The server is closing.');
  }

  #take(): ConverterProcess {
    clearTimeout(this.#retire);
    const ready = this.#idle.pop();
    if (ready !== undefined && !ready.dead) return ready;
    if (ready !== undefined) this.#all.delete(ready);
    const fresh = this.#options.start();
    this.#all.add(fresh);
    return fresh;
  }

  #release(process: ConverterProcess): void {
    if (process.dead || this.#closed || process.calls >= this.#options.callsPerProcess) {
      process.kill();
      this.#all.delete(process);
    } else {
      this.#idle.push(process);
    }
    const next = this.#waiting.shift();
    // A turn is handed on, not given back, so that nobody can slip in between.
    if (next === undefined) this.#busy -= 1;
    else next();
    if (this.#busy === 0) this.#retireSoon();
  }

  #retireSoon(): void {
    this.#retire = setTimeout(() => {
      for (const process of this.#idle.splice(0)) {
        process.kill();
        this.#all.delete(process);
      }
    }, this.#options.idleMs);
    this.#retire.unref();
  }
}
