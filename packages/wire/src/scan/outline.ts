import { MemberCursor } from './member-cursor.js';
import { NOWHERE, skipSpace, skipValue } from './skip-json.js';
import type { Span } from './span.js';

const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;

/** True for a list that has more than `max` items, of which there is at least one. Nothing after them is read. False for what is no list that can be read. */
export const hasMoreItems = (bytes: Uint8Array, max: number, depth: number): boolean => {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_BRACKET) return false;
  for (let items = 1; items <= max; items += 1) {
    at = skipValue(bytes, skipSpace(bytes, at + 1), depth - 1);
    if (at === NOWHERE) return false;
    at = skipSpace(bytes, at);
    if (bytes[at] !== COMMA) return false;
  }
  return true;
};

export interface MessageHead {
  readonly id: Span | undefined;
  readonly method: Span | undefined;
}

/** What stands before the parameters of a message, whatever comes after: the id and the method, with their quotes. */
export const messageHead = (bytes: Uint8Array, depth: number): MessageHead => {
  const message = new MemberCursor(bytes, skipSpace(bytes, 0), depth);
  let [id, method]: (Span | undefined)[] = [];
  while (message.next() && !message.isNamed('params')) {
    const { start } = message;
    const end = message.take();
    if (end === NOWHERE) break;
    if (message.isNamed('id')) id = { start, end };
    else if (message.isNamed('method')) method = { start, end };
  }
  return { id, method };
};
