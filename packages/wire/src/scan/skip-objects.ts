import { MemberCursor } from './member-cursor.js';
import { NOWHERE, skipSpace } from './skip-json.js';

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Goes through all members of an object, and says whether it has a certain form. */
export type IsOfForm = (object: MemberCursor, bytes: Uint8Array) => boolean;

/** The position after a list of objects that all have the form; NOWHERE for any other value. */
export const skipObjects = (bytes: Uint8Array, from: number, depth: number, isOfForm: IsOfForm): number => {
  if (bytes[from] !== OPEN_BRACKET || depth <= 0) return NOWHERE;
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    const object = new MemberCursor(bytes, at, depth - 1);
    if (!isOfForm(object, bytes)) return NOWHERE;
    at = skipSpace(bytes, object.after);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    if (bytes[at] !== COMMA) return NOWHERE;
    at = skipSpace(bytes, at + 1);
  }
};
