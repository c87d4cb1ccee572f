import type { MemberCursor } from './member-cursor.js';
import { isPlainBlock, isWord } from './plain-content.js';
import { NOWHERE } from './skip-json.js';
import { skipObjects } from './skip-objects.js';

/** Has this message a role that is known, and one block of plain content? */
const isPlainMessage = (message: MemberCursor, bytes: Uint8Array): boolean => {
  let hasRole = false;
  let hasContent = false;
  while (message.next()) {
    const { start } = message;
    if (message.isNamed('content')) {
      const block = message.enter();
      if (!isPlainBlock(block, bytes)) return false;
      message.leave(block);
      hasContent = true;
      continue;
    }
    const end = message.take();
    if (end === NOWHERE) return false;
    if (!message.isNamed('role')) continue;
    if (!isWord(bytes, start, end, 'user') && !isWord(bytes, start, end, 'assistant')) return false;
    hasRole = true;
  }
  return message.after !== NOWHERE && hasRole && hasContent;
};

/** The position after the messages of a prompt that every client accepts for sure; NOWHERE for any other value. */
export const skipPlainMessages = (bytes: Uint8Array, from: number, depth: number): number =>
  skipObjects(bytes, from, depth, isPlainMessage);
