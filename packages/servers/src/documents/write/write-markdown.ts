import type { Root } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';

export const writeMarkdown = (tree: Root): string =>
  toMarkdown(tree, {
    bullet: '-',
    emphasis: '*',
    rule: '-',
    listItemIndent: 'one',
    // Aligned columns would make a wide table several times as large.
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  });
