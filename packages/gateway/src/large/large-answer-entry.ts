// A thread of its own for what takes long on large answers. It gets them in pieces, and gives back what is left to write.
import { getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { joinInPages, releasePageBytes } from '@plugboard/base';
import type { FromLargeAnswers, ToLargeAnswers } from './messages.js';
import { settleAnswer } from './settle-answer.js';

/** The event loop goes first where both want the same processor. On Linux this concerns the calling thread alone. */
const LOWER_BY = 5;
const LOWEST_PRIORITY = 19;
if (platform() === 'linux') setPriority(0, Math.min(LOWEST_PRIORITY, getPriority(0) + LOWER_BY));

const pieces = new Map<number, Uint8Array[]>();

/** The whole, in memory that is gone with it; so is that of its pieces. */
const joined = (parts: readonly Uint8Array[]): Buffer => {
  const whole = Buffer.from(joinInPages(parts).buffer);
  for (const part of parts) releasePageBytes(part);
  return whole;
};

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
    answer({ job, settled: settleAnswer(joined(all), message.options) });
  } catch (thrown) {
    answer({ job, failure: thrown instanceof Error ? thrown.message : 'unknown' });
  }
});
