// A thread of its own for what takes long on large answers. It gets them in pieces, and gives back what is left to write.
import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { FromLargeAnswers, ToLargeAnswers } from './messages.js';
import { settleAnswer } from './settle-answer.js';

/** The event loop goes first where both want the same processor. On Linux this concerns the calling thread alone. */
const LOWER_PRIORITY = 5;
if (platform() === 'linux') setPriority(0, LOWER_PRIORITY);

const pieces = new Map<number, Uint8Array[]>();

const answer = (message: FromLargeAnswers): void => {
  const bytes = 'settled' in message && message.settled.kind === 'result' ? message.settled.bytes : undefined;
  // Only what has all of its memory for itself can be moved.
  const movable = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  parentPort?.postMessage(message, movable ? [bytes.buffer as ArrayBuffer] : []);
};

parentPort?.on('message', (message: ToLargeAnswers) => {
  const { job } = message;
  if ('piece' in message) {
    const known = pieces.get(job);
    if (known === undefined) pieces.set(job, [message.piece]);
    else known.push(message.piece);
    return;
  }
  const all = pieces.get(job) ?? [];
  pieces.delete(job);
  if (!('options' in message)) return;
  try {
    answer({ job, settled: settleAnswer(Buffer.concat(all), message.options) });
  } catch (thrown) {
    answer({ job, failure: thrown instanceof Error ? thrown.message : 'unknown' });
  }
});
