// The process in which documents are parsed. It may be killed at any moment, and may kill itself: nothing else lives here.
import { Worker } from 'node:worker_threads';
import { DocumentError } from '../document-error.js';
import { convert } from './convert.js';
import type { ConvertMessage, ConverterMessage } from './messages.js';

const PROGRESS_EVERY_MS = 100;

const answer = (message: ConverterMessage): void => void process.send?.(message);

const work = async ({ id, conversion }: ConvertMessage): Promise<void> => {
  let told = 0;
  try {
    const document = await convert(conversion, (done, total) => {
      const now = Date.now();
      if (now - told < PROGRESS_EVERY_MS) return;
      told = now;
      answer({ kind: 'progress', id, done, total });
    });
    answer({ kind: 'done', id, document });
  } catch (error) {
    const known = error instanceof DocumentError ? error : new DocumentError('DAMAGED', 'The document cannot be read.');
    answer({ kind: 'failed', id, code: known.code, message: known.message, hint: known.hint });
  }
};

// Its own thread, because parsing leaves this one no turn: it ends the process that grew too large or lost its parent.
const watch = (memoryBytes: number): void =>
  new Worker(new URL('memory-watch-worker.js', import.meta.url), { workerData: memoryBytes }).unref();

process.once('message', ({ memoryBytes }: ConvertMessage) => watch(memoryBytes));
process.on('message', (message: ConvertMessage) => void work(message));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
