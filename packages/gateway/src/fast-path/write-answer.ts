import type { ServerResponse } from 'node:http';
import { BackpressureWriter, type BackpressureOptions, PIECE_BYTES } from '../http/backpressure-writer.js';

/** The beginning of an answer that is one JSON-RPC message of that many bytes. */
export const writeJsonHead = (response: ServerResponse, length: number): void => {
  response.writeHead(200, [
    'content-type',
    'application/json',
    'cache-control',
    'no-store',
    'content-length',
    String(length),
  ]);
};

/** Writes a JSON-RPC message as the whole answer. */
export const writeAnswer = (
  response: ServerResponse,
  message: Buffer,
  backpressure: () => BackpressureOptions | undefined,
): void => {
  if (response.destroyed || response.headersSent) return;
  writeJsonHead(response, message.length);
  if (message.length <= PIECE_BYTES) {
    response.end(message);
    return;
  }
  const writer = new BackpressureWriter(response, backpressure());
  writer.write(message);
  writer.end();
};
