import { randomUUID } from 'node:crypto';
import { isAscii, isUtf8 } from 'node:buffer';
import { parseBoundedJson } from '@plugboard/contract';
import { longStrings, type Span } from '@plugboard/wire';
import { textOf } from '../http/read-body.js';
import { checkLargeBody } from './check-large-body.js';
import { messagesIn, type ReadBody, readMessages } from './read-messages.js';

/** Does a piece of work when it is its turn. */
export type InTurns = <Result>(work: () => Result) => Promise<Result>;

const LONG = { longBytes: 64 * 1024, maxRest: 16 * 1024 };
/** So much of a long string is decoded in one turn: half a millisecond. */
const PIECE_BYTES = 1024 * 1024;

/** Stands for a long string while the rest is parsed. Nobody outside can write one. */
const STAND_IN = randomUUID();

const isContinued = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The text between two quotes, joined from pieces: V8 copies them together only when somebody reads them. */
const decode = async (bytes: Buffer, { start, end }: Span, inTurns: InTurns): Promise<string> => {
  let text = '';
  for (let at = start + 1; at < end - 1;) {
    let next = Math.min(at + PIECE_BYTES, end - 1);
    while (isContinued(bytes[next])) next -= 1;
    const piece = bytes.subarray(at, next);
    text += await inTurns(() => piece.toString(isAscii(piece) ? 'latin1' : 'utf8'));
    at = next;
  }
  return text;
};

/** Everything but the long strings. */
const restOf = (bytes: Buffer, strings: readonly Span[]): string => {
  let rest = '';
  let at = 0;
  for (const [index, { start, end }] of strings.entries()) {
    rest += `${bytes.toString('utf8', at, start)}"${STAND_IN}${index}"`;
    at = end;
  }
  return rest + bytes.toString('utf8', at);
};

/**
 * Reads a large body as one message or a batch, in pieces that take about a millisecond. Most large bodies are one long
 * string: it is found in the bytes and decoded in pieces, and never parsed. Any other is decoded, and then parsed at once.
 */
export const readLargeBody = async (bytes: Buffer, inTurns: InTurns): Promise<ReadBody> => {
  const strings = await inTurns(() => {
    checkLargeBody(bytes);
    return isUtf8(bytes) ? longStrings(bytes, LONG) : undefined;
  });
  if (strings === undefined) {
    const text = await inTurns(() => textOf(bytes));
    return inTurns(() => readMessages(text));
  }
  const texts = new Map<unknown, string>();
  for (const [index, span] of strings.entries()) {
    texts.set(`${STAND_IN}${index}`, await decode(bytes, span, inTurns));
  }
  return inTurns(() =>
    messagesIn(parseBoundedJson(restOf(bytes, strings), { reviver: (_, value) => texts.get(value) ?? value })),
  );
};
