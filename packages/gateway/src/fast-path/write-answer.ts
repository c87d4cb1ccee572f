import type { ServerResponse } from 'node:http';
import { type Edit, splice } from '@plugboard/wire';
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

/** Writes a JSON-RPC message as the whole answer, with one piece of it replaced if need be. */
export const writeAnswer = (
  response: ServerResponse,
  message: Buffer,
  {
    edit,
    backpressure,
  }: { readonly edit: Edit | undefined; readonly backpressure: () => BackpressureOptions | undefined },
): void => {
  if (response.destroyed || response.headersSent) return;
  const body = edit === undefined ? message : splice(message, [edit]);
  writeJsonHead(response, body.length);
  if (body.length <= PIECE_BYTES) {
    response.end(body);
    return;
  }
  const writer = new BackpressureWriter(response, backpressure());
  writer.write(body);
  writer.end();
};
