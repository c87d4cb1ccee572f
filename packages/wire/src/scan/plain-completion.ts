import { MemberCursor } from './member-cursor.js';
import { NOWHERE, skipSpace, skipString } from './skip-json.js';

const COMMA = 0x2c;
const MINUS = 0x2d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const FALSE = 0x66;
const TRUE = 0x74;

/** Clients accept no more. */
const MAX_VALUES = 100;
/** A number of that many digits is the same to everybody who reads it. */
const MAX_DIGITS = 15;

/** The position after a list of texts; NOWHERE for any other value. */
const skipTexts = (bytes: Uint8Array, from: number): number => {
  if (bytes[from] !== OPEN_BRACKET) return NOWHERE;
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (let values = 1; values <= MAX_VALUES; values += 1) {
    const end = skipString(bytes, at);
    if (end === NOWHERE) return NOWHERE;
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    if (bytes[at] !== COMMA) return NOWHERE;
    at = skipSpace(bytes, at + 1);
  }
  return NOWHERE;
};

const isInteger = (bytes: Uint8Array, start: number, end: number): boolean => {
  const first = bytes[start] === MINUS ? start + 1 : start;
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return end > first && end - first <= MAX_DIGITS;
};

const isFlag = (bytes: Uint8Array, start: number): boolean => bytes[start] === TRUE || bytes[start] === FALSE;

/** The position after proposals that every client accepts for sure; NOWHERE for any other value. */
export const skipPlainCompletion = (bytes: Uint8Array, from: number, depth: number): number => {
  const completion = new MemberCursor(bytes, from, depth);
  let hasValues = false;
  while (completion.next()) {
    const { start } = completion;
    if (completion.isNamed('values')) {
      completion.goOn(skipTexts(bytes, start));
      hasValues = true;
      continue;
    }
    const end = completion.take();
    if (end === NOWHERE) return NOWHERE;
    if (completion.isNamed('total') && !isInteger(bytes, start, end)) return NOWHERE;
    if (completion.isNamed('hasMore') && !isFlag(bytes, start)) return NOWHERE;
  }
  return hasValues ? completion.after : NOWHERE;
};
