import { LARGE_ANSWER_BYTES } from './large-answer.js';

/** A message has its id near its beginning or at its end; what is large is its result. */
const LOOKED_AT_BYTES = 200;
const AT_START = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,/u;
/** Whatever the last brace closes is the message itself. */
const AT_END = /,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/u;

/** Whose answer a line is that is too large to be read on the event loop; undefined when that cannot be said at a glance. */
export const largeAnswerId = (line: Uint8Array): number | undefined => {
  if (line.length <= LARGE_ANSWER_BYTES) return undefined;
  const text = (start: number, end: number): string => Buffer.from(line.subarray(start, end)).toString('latin1');
  const found =
    AT_START.exec(text(0, LOOKED_AT_BYTES)) ?? AT_END.exec(text(line.length - LOOKED_AT_BYTES, line.length));
  return found === null ? undefined : Number(found[1]);
};
