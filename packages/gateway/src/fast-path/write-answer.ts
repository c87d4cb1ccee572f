import type { ServerResponse } from 'node:http';
import { type Edit, splice } from '@plugboard/wire';
import { BackpressureWriter, type BackpressureOptions, PIECE_BYTES } from '../http/backpressure-writer.js';
import { lengthOf } from '../http/write-kept.js';

/** What an answer is: a JSON-RPC message, or the result in it as plain REST gives it. */
export type AnswerForm = 'message' | 'result';

const TYPES: Readonly<Record<AnswerForm, string>> = {
  message: 'application/json',
  result: 'application/json; charset=utf-8',
};

/** The beginning of an answer of that many bytes. */
export const writeJsonHead = (response: ServerResponse, length: number, form: AnswerForm = 'message'): void => {
  response.writeHead(200, ['content-type', TYPES[form], 'cache-control', 'no-store', 'content-length', String(length)]);
};

export interface WriteOptions {
  readonly form: AnswerForm;
  readonly backpressure: () => BackpressureOptions | undefined;
}

/** What is larger is not copied to be changed. */
const COPIED_BYTES = 8 * 1024;

/** The message with these changes, in pieces that are not copied. */
const piecesOf = (message: Buffer, edits: readonly Edit[]): readonly Buffer[] => {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of edits) {
    pieces.push(message.subarray(from, start), Buffer.from(text));
    from = end;
  }
  pieces.push(message.subarray(from));
  return pieces.filter(({ length }) => length > 0);
};

/** Calls it when nothing of the answer is needed any more: it was sent, or nobody waits for it. */
export const releaseWith = (response: ServerResponse, release: () => void): void => {
  if (response.destroyed) release();
  else response.once('close', release);
};

/** Writes the message of the server, with changes, as the whole answer. */
export const writeAnswer = (
  response: ServerResponse,
  message: Buffer,
  edits: readonly Edit[],
  { form, backpressure }: WriteOptions,
): void => {
  if (response.destroyed || response.headersSent) return;
  const pieces =
    message.length <= COPIED_BYTES ? [edits.length === 0 ? message : splice(message, edits)] : piecesOf(message, edits);
  const length = lengthOf(pieces);
  writeJsonHead(response, length, form);
  if (length <= PIECE_BYTES) {
    const last = pieces.length - 1;
    // They are sent together, at the end of this turn of the event loop.
    for (const piece of pieces.slice(0, last)) response.write(piece);
    response.end(pieces[last]);
    return;
  }
  const writer = new BackpressureWriter(response, backpressure());
  for (const piece of pieces) writer.write(piece);
  writer.end();
};
