import type { MemberCursor } from './member-cursor.js';
import { isBase64 } from './plain-content.js';
import { NOWHERE } from './skip-json.js';
import { skipObjects } from './skip-objects.js';

const QUOTE = 0x22;

/** Is this what a resource holds, with its address, as text or as Base64? */
const isPlainItem = (item: MemberCursor, bytes: Uint8Array): boolean => {
  let hasUri = false;
  let hasText = false;
  let hasBlob = false;
  while (item.next()) {
    const { start } = item;
    const end = item.take();
    if (end === NOWHERE) return false;
    const isString = bytes[start] === QUOTE;
    if (item.isNamed('uri')) hasUri = isString;
    else if (item.isNamed('text')) hasText = isString;
    else if (item.isNamed('blob')) hasBlob = isString && isBase64(bytes, start, end);
    else if (item.isNamed('_meta') || (item.isNamed('mimeType') && !isString)) return false;
    else continue;
    if (!isString) return false;
  }
  return item.after !== NOWHERE && hasUri && hasText !== hasBlob;
};

/** The position after a list of contents of resources that every client accepts for sure; NOWHERE for any other value. */
export const skipPlainContents = (bytes: Uint8Array, from: number, depth: number): number =>
  skipObjects(bytes, from, depth, isPlainItem);
