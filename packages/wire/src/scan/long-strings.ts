import { NOWHERE, skipSpace, skipString } from './skip-json.js';
import type { Span } from './span.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

export interface LongStringBounds {
  /** A string of more bytes is long. */
  readonly longBytes: number;
  /** What everything else may have together. */
  readonly maxRest: number;
}

/**
 * The long strings of a document that is little else, with their quotes: values that are written without escapes. Undefined
 * as soon as the rest is too much, or where the bytes are no JSON.
 */
export const longStrings = (
  bytes: Uint8Array,
  { longBytes, maxRest }: LongStringBounds,
): readonly Span[] | undefined => {
  const found: Span[] = [];
  let rest = 0;
  for (let at = 0; at < bytes.length && rest <= maxRest;) {
    const start = at;
    at = bytes[start] === QUOTE ? skipString(bytes, start) : start + 1;
    if (at === NOWHERE) return undefined;
    const isLong =
      at - start > longBytes && bytes[skipSpace(bytes, at)] !== COLON && !bytes.subarray(start, at).includes(BACKSLASH);
    if (isLong) found.push({ start, end: at });
    else rest += at - start;
  }
  return rest <= maxRest ? found : undefined;
};
