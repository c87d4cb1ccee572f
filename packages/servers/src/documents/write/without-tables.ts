import type { Root, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { paragraph, text } from '../tree/tree.js';

/** Tables as plain lines, for callers that do not want tables. */
export const withoutTables = (tree: Root): Root => ({
  ...tree,
  children: tree.children.flatMap((block): RootContent[] =>
    block.type === 'table'
      ? block.children
          .map((row) => row.children.map((cell) => toString(cell)).filter((cell) => cell !== ''))
          .filter((cells) => cells.length > 0)
          .map((cells) => paragraph(text(cells.join(' '))))
      : [block],
  ),
});
