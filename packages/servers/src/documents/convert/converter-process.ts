import { fork, type ChildProcess } from 'node:child_process';
import { DocumentError } from '../document-error.js';
import type { Conversion, ConvertedDocument, ReportProgress } from './convert.js';
import type { ConverterMessage } from './messages.js';

const ENTRY = new URL('converter-worker.js', import.meta.url);
const HEAP_MB = 512;
const MEMORY_BYTES = 1024 * 1024 * 1024;

export interface ConverterCall {
  readonly conversion: Conversion;
  readonly progress: ReportProgress;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface ConverterProcessOptions {
  /** What is run; tests run something else. */
  readonly entry?: URL;
  /** How large it may grow before it is ended. */
  readonly memoryBytes?: number;
}

/** One process that parses documents, one at a time. Once it was killed it stays dead. */
export class ConverterProcess {
  readonly #child: ChildProcess;
  readonly #memoryBytes: number;
  #calls = 0;
  #dead = false;

  constructor({ entry = ENTRY, memoryBytes = MEMORY_BYTES }: ConverterProcessOptions = {}) {
    this.#memoryBytes = memoryBytes;
    this.#child = fork(entry, [], {
      // Nothing of our environment: what parses strangers' files has no business with it.
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.once('exit', () => {
      this.#dead = true;
    });
    this.#child.on('error', () => this.kill());
  }

  get dead(): boolean {
    return this.#dead;
  }

  get calls(): number {
    return this.#calls;
  }

  kill(): void {
    this.#dead = true;
    this.#child.kill('SIGKILL');
  }

  async convert({ conversion, progress, signal, timeoutMs }: ConverterCall): Promise<ConvertedDocument> {
    this.#calls += 1;
    const id = this.#calls;
    const child = this.#child;
    const cleanups: (() => void)[] = [];
    try {
      return await new Promise<ConvertedDocument>((resolve, reject) => {
        const end = (error: DocumentError): void => {
          this.kill();
          reject(error);
        };
        const timer = setTimeout(
          () => end(new DocumentError('TIMED_OUT', `The document was not converted within ${timeoutMs} ms.`)),
          timeoutMs,
        );
        const onAbort = (): void => end(new DocumentError('CANCELLED', 'The conversion was cancelled.'));
        const onExit = (): void => end(new DocumentError('OUT_OF_MEMORY', 'The conversion exceeded its memory limit.'));
        const onMessage = (message: ConverterMessage): void => {
          if (message.id !== id) return;
          if (message.kind === 'progress') progress(message.done, message.total);
          else if (message.kind === 'done') resolve(message.document);
          else reject(new DocumentError(message.code, message.message, message.hint));
        };
        child.on('message', onMessage);
        child.once('exit', onExit);
        signal.addEventListener('abort', onAbort, { once: true });
        cleanups.push(
          () => clearTimeout(timer),
          () => child.off('message', onMessage),
          () => child.off('exit', onExit),
          () => signal.removeEventListener('abort', onAbort),
        );
        if (signal.aborted) {
          onAbort();
        } else {
          child.send({ id, conversion, memoryBytes: this.#memoryBytes }, (error) =>
            error === null ? undefined : onExit(),
          );
        }
      });
    } finally {
      for (const cleanup of cleanups) cleanup();
    }
  }
}
