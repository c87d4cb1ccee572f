// A thread of its own for what takes long on large answers. It gets them in pieces, and gives back what is left to write.
import { getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { GrowingBytes, releasePageBytes } from '@plugboard/base';
import type { FromLargeAnswers, ToLargeAnswers } from './messages.js';
import { settleAnswer, type SettleOptions } from './settle-answer.js';

/** The event loop goes first where both want the same processor. On Linux this concerns the calling thread alone. */
const LOWER_BY = 5;
const LOWEST_PRIORITY = 19;
if (platform() === 'linux') setPriority(0, Math.min(LOWEST_PRIORITY, getPriority(0) + LOWER_BY));

const wholes = new Map<number, GrowingBytes>();

const tell = (message: FromLargeAnswers, moved: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);

/** Copied at once, so that the memory of the piece is of use again while the next ones come. */
const take = (job: number, piece: Uint8Array, bytes: number): void => {
  const whole = wholes.get(job) ?? new GrowingBytes();
  wholes.set(job, whole);
  whole.append(piece.subarray(0, bytes));
  tell({ used: piece }, [piece.buffer as ArrayBuffer]);
};

const settle = (job: number, whole: Buffer, options: SettleOptions): void => {
  const settled = settleAnswer(whole, options);
  const bytes = settled.kind === 'result' ? settled.bytes : undefined;
  // Only what has all of its memory for itself can be moved.
  const movable = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  tell({ job, settled }, movable ? [bytes.buffer as ArrayBuffer] : []);
};

parentPort?.on('message', (message: ToLargeAnswers) => {
  const { job } = message;
  try {
    if ('piece' in message) {
      take(job, message.piece, message.bytes);
      return;
    }
    const whole = wholes.get(job)?.whole() ?? Buffer.alloc(0);
    wholes.delete(job);
    if ('options' in message) settle(job, whole, message.options);
    releasePageBytes(whole);
  } catch (thrown) {
    wholes.delete(job);
    tell({ job, failure: thrown instanceof Error ? thrown.message : 'unknown' });
  }
});
