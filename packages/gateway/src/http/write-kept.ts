import type { ServerResponse } from 'node:http';
import { DEFAULT_STALL_MS, PIECE_BYTES, type BackpressureOptions } from './backpressure-writer.js';

/** How long all of them are together. */
export const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((length, piece) => length + piece.length, 0);

/**
 * Ends an answer with bytes that are kept for everybody. They take no room of their own while they wait, so they are
 * handed over at once. A reader that takes longer than it may for all the pieces that they make is cut off.
 */
export const writeKept = (
  response: ServerResponse,
  pieces: readonly Buffer[],
  { stallMs = DEFAULT_STALL_MS }: BackpressureOptions = {},
): void => {
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
  response.uncork();
  if (response.writableFinished) return;
  const allowedMs = stallMs * Math.ceil(lengthOf(pieces) / PIECE_BYTES);
  const stall = setTimeout(() => response.destroy(), allowedMs).unref();
  response.on('close', () => clearTimeout(stall));
};
