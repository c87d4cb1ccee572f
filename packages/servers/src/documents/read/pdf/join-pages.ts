import type { PhrasingContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { paragraph, text, type Block } from '../../tree/tree.js';

const goesOn = (last: Block | undefined, first: Block | undefined): boolean =>
  last?.type === 'paragraph' &&
  first?.type === 'paragraph' &&
  !/[.!?:;…"”»]\s*$/u.test(toString(last)) &&
  /^\s*\p{Ll}/u.test(toString(first));

const wordsOf = (block: Block | undefined): readonly PhrasingContent[] =>
  block?.type === 'paragraph' ? block.children : [];

/** Puts pages together; a sentence that the end of a page cut is one paragraph again. */
export const joinPages = (pages: readonly (readonly Block[])[]): Block[] => {
  const joined: Block[] = [];
  for (const page of pages) {
    const [first, ...rest] = page;
    if (first === undefined) continue;
    const last = joined.at(-1);
    if (goesOn(last, first)) joined[joined.length - 1] = paragraph(...wordsOf(last), text(' '), ...wordsOf(first));
    else joined.push(first);
    joined.push(...rest);
  }
  return joined;
};
