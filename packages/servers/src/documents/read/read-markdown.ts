import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { decodeText } from './decode-text.js';
import type { DocumentReader } from '../tree/document-reader.js';
import { safeLink, settleReferences } from '../tree/settle-references.js';
import type { Block } from '../tree/tree.js';

const parse = (markdown: string): Root =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Markdown inside of another document. */
export const markdownBlocks = (markdown: string): readonly Block[] => parse(markdown).children;

export const readMarkdown: DocumentReader = (bytes) => {
  const tree = parse(decodeText(bytes));
  settleReferences(tree, { image: safeLink, link: safeLink });
  const title = tree.children.find((node) => node.type === 'heading');
  return { tree, title: title === undefined ? undefined : toString(title), images: [], warnings: [] };
};
