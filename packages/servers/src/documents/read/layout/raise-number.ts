import type { PhrasingContent } from 'mdast';
import { superscript } from '../../tree/extra-nodes.js';
import { text } from '../../tree/tree.js';

/** The number at the start of a note, raised as the one that refers to it. */
export const raiseNumber = (content: readonly PhrasingContent[]): readonly PhrasingContent[] => {
  const [first, ...rest] = content;
  if (first?.type !== 'text') return content;
  const [label, number] = /^(\d{1,3})\s+/u.exec(first.value) ?? [];
  if (label === undefined || number === undefined) return content;
  return [superscript([text(number)]), text(first.value.slice(label.length)), ...rest];
};
