import type { Readable } from 'node:stream';
import { type RequestIds, requestIdsIn } from '@plugboard/gateway';

/** The ids in a larger body are not looked for: to read it would keep other callers waiting. */
const MAX_BYTES = 256 * 1024;

/**
 * The requests in a body that is passed on as it comes. It is kept until it is complete and then read once, so that a call
 * that takes hours holds no more than its id.
 */
export const requestsSent = (request: Readable): (() => RequestIds | undefined) => {
  let found: RequestIds | undefined;
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
    else chunks = [];
  });
  request.once('end', () => {
    if (size <= MAX_BYTES) found = requestIdsIn(Buffer.concat(chunks));
    chunks = [];
  });
  return () => found;
};
