import { CUT, goOnFrom, noVectors, openVectorScan, type VectorScan } from './vector-scan.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const FIRST_PRINTABLE = 0x20;

/** What a position is when the bytes there are no JSON. */
export const NOWHERE = -1;

/** The position of the next byte that is no white space. */
export const skipSpace = (bytes: Uint8Array, from: number): number => {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at += 1;
  }
};

const isHex = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66));

/** The position after an escape, whose backslash stands at `at`. */
const skipEscape = (bytes: Uint8Array, at: number): number => {
  switch (bytes[at + 1]) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 2;
    case 0x75: // u
      for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHex(bytes[digit])) return NOWHERE;
      return at + 6;
    default:
      return NOWHERE;
  }
};

/** A string that is longer is read in words of four bytes. */
const LONG = 64;
/** One that is still longer is read in vectors: it has to be copied for them. */
const VERY_LONG = 1024;

/**
 * Has the highest bit of each byte set that is a quote, a backslash or a control character: the well-known tricks to find a
 * byte that is zero or below another. Above a byte that was found, others may be marked by mistake.
 */
const marksIn = (word: number): number => {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  const found =
    ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
  return found & 0x80808080;
};

/** Which byte of a word has the lowest mark. */
const markedByte = (marks: number): number => (31 - Math.clz32(marks & -marks)) >> 3;

/** Opened for the first string that is long enough: programs that see none of them need no such memory. */
let vectorScan: VectorScan | undefined;

/** The position after a string that goes on at `from`. */
const skipVeryLongString = (bytes: Uint8Array, from: number): number => {
  vectorScan ??= openVectorScan() ?? noVectors;
  const found = vectorScan(bytes, from);
  return found > CUT ? found : skipBytes(bytes, goOnFrom(found), bytes.length);
};

/**
 * The position after a string that goes on at `from`, which is at the beginning of a word. Not by a DataView: V8 reads those
 * slowly once one of them was in memory that can be resized.
 */
const skipLongString = (bytes: Uint8Array, from: number): number => {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, Math.min(bytes.length - from, VERY_LONG) >> 2);
  let next = from;
  for (;;) {
    if (((next - from) & 3) === 0) {
      let index = (next - from) >> 2;
      let marks = 0;
      for (; index < words.length; index += 1) {
        marks = marksIn(words[index] ?? 0);
        if (marks !== 0) break;
      }
      if (marks === 0) return skipVeryLongString(bytes, Math.max(next, from + index * 4));
      next = from + index * 4 + markedByte(marks);
    }
    const byte = bytes[next];
    if (byte === QUOTE) return next + 1;
    if (byte === undefined || byte < FIRST_PRINTABLE) return NOWHERE;
    next = byte === BACKSLASH ? skipEscape(bytes, next) : next + 1;
    if (next === NOWHERE) return NOWHERE;
  }
};

/** The position after a string that goes on at `from`. Beyond `long`, there is a faster way. */
const skipBytes = (bytes: Uint8Array, from: number, long: number): number => {
  let next = from;
  for (;;) {
    const byte = bytes[next];
    if (byte === QUOTE) return next + 1;
    if (byte === undefined || byte < FIRST_PRINTABLE) return NOWHERE;
    if (byte === BACKSLASH) {
      next = skipEscape(bytes, next);
      if (next === NOWHERE) return NOWHERE;
    } else {
      next += 1;
    }
    if (next > long && ((bytes.byteOffset + next) & 3) === 0) return skipLongString(bytes, next);
  }
};

/** The position after the string that begins at `at`. */
export const skipString = (bytes: Uint8Array, at: number): number =>
  bytes[at] === QUOTE ? skipBytes(bytes, at + 1, at + LONG) : NOWHERE;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const skipDigits = (bytes: Uint8Array, from: number): number => {
  if (!isDigit(bytes[from])) return NOWHERE;
  let at = from + 1;
  while (isDigit(bytes[at])) at += 1;
  return at;
};

const skipNumber = (bytes: Uint8Array, from: number): number => {
  const start = bytes[from] === MINUS ? from + 1 : from;
  // Nothing follows a leading zero but a fraction or an exponent.
  let at = bytes[start] === 0x30 ? start + 1 : skipDigits(bytes, start);
  if (at !== NOWHERE && bytes[at] === 0x2e) at = skipDigits(bytes, at + 1);
  if (at === NOWHERE || (bytes[at] !== 0x65 && bytes[at] !== 0x45)) return at;
  const sign = bytes[at + 1];
  return skipDigits(bytes, sign === 0x2b || sign === MINUS ? at + 2 : at + 1);
};

const TRUE = [0x74, 0x72, 0x75, 0x65];
const FALSE = [0x66, 0x61, 0x6c, 0x73, 0x65];
const NULL = [0x6e, 0x75, 0x6c, 0x6c];

const skipWord = (bytes: Uint8Array, at: number, word: readonly number[]): number => {
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word[index]) return NOWHERE;
  return at + word.length;
};

const skipArray = (bytes: Uint8Array, from: number, depth: number): number => {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    at = skipValue(bytes, at, depth - 1);
    if (at === NOWHERE) return NOWHERE;
    at = skipSpace(bytes, at);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    if (bytes[at] !== COMMA) return NOWHERE;
    at = skipSpace(bytes, at + 1);
  }
};

/** The position of the value whose key ends at `end`. */
export const skipColon = (bytes: Uint8Array, end: number): number => {
  if (end === NOWHERE) return NOWHERE;
  const colon = skipSpace(bytes, end);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : NOWHERE;
};

const skipObject = (bytes: Uint8Array, from: number, depth: number): number => {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_BRACE) return at + 1;
  for (;;) {
    const value = skipColon(bytes, skipString(bytes, at));
    if (value === NOWHERE) return NOWHERE;
    at = skipValue(bytes, value, depth - 1);
    if (at === NOWHERE) return NOWHERE;
    at = skipSpace(bytes, at);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    if (bytes[at] !== COMMA) return NOWHERE;
    at = skipSpace(bytes, at + 1);
  }
};

/** The position after the value that begins at `at`, if it is JSON with at most `depth` levels; NOWHERE if not. */
export const skipValue = (bytes: Uint8Array, at: number, depth: number): number => {
  switch (bytes[at]) {
    case QUOTE:
      return skipString(bytes, at);
    case OPEN_BRACE:
      return depth === 0 ? NOWHERE : skipObject(bytes, at, depth);
    case OPEN_BRACKET:
      return depth === 0 ? NOWHERE : skipArray(bytes, at, depth);
    case 0x74:
      return skipWord(bytes, at, TRUE);
    case 0x66:
      return skipWord(bytes, at, FALSE);
    case 0x6e:
      return skipWord(bytes, at, NULL);
    default:
      return skipNumber(bytes, at);
  }
};
