import type { MemberCursor } from './member-cursor.js';
import { NOWHERE } from './skip-json.js';
import { skipObjects } from './skip-objects.js';

const QUOTE = 0x22;
const EQUALS = 0x3d;

/** Marks the letters of Base64. */
const BASE64 = new Uint8Array(256);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') {
  BASE64[letter.charCodeAt(0)] = 1;
}

/** Padded Base64 without white space between two quotes, which everybody can decode. */
export const isBase64 = (bytes: Uint8Array, start: number, end: number): boolean => {
  let last = end - 1;
  if ((last - start - 1) % 4 !== 0) return false;
  for (let pad = 0; pad < 2 && bytes[last - 1] === EQUALS; pad += 1) last -= 1;
  for (let at = start + 1; at < last; at += 1) if (BASE64[bytes[at] ?? 0] === 0) return false;
  return true;
};

/** Is this that word, in quotes? */
export const isWord = (bytes: Uint8Array, start: number, end: number, word: string): boolean => {
  if (end - start !== word.length + 2) return false;
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[start + 1 + index] !== word.charCodeAt(index)) return false;
  }
  return true;
};

/** Is this a text, an image or audio, complete and with nothing that a client looks at more closely? */
export const isPlainBlock = (block: MemberCursor, bytes: Uint8Array): boolean => {
  let kind: 'text' | 'media' | undefined;
  let hasText = false;
  let hasData = false;
  let hasMediaType = false;
  while (block.next()) {
    const { start } = block;
    const end = block.take();
    if (end === NOWHERE) return false;
    const isString = bytes[start] === QUOTE;
    if (block.isNamed('type')) {
      if (isWord(bytes, start, end, 'text')) kind = 'text';
      else if (isWord(bytes, start, end, 'image') || isWord(bytes, start, end, 'audio')) kind = 'media';
      else return false;
    } else if (block.isNamed('text')) {
      if (!isString) return false;
      hasText = true;
    } else if (block.isNamed('data')) {
      if (!isString || !isBase64(bytes, start, end)) return false;
      hasData = true;
    } else if (block.isNamed('mimeType')) {
      if (!isString) return false;
      hasMediaType = true;
    } else if (block.isNamed('annotations') || block.isNamed('_meta')) {
      return false;
    }
  }
  if (block.after === NOWHERE) return false;
  return kind === 'text' ? hasText : kind === 'media' && hasData && hasMediaType;
};

/**
 * The position after a list of content that every client accepts for sure; NOWHERE for any other value. What is not
 * recognised here need not be wrong: somebody has to look at it more closely.
 */
export const skipPlainContent = (bytes: Uint8Array, from: number, depth: number): number =>
  skipObjects(bytes, from, depth, isPlainBlock);
