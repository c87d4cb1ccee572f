import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { decodeText } from './decode-text.js';
import type { DocumentReader } from './read-document.js';
import { safeLink, settleReferences } from './settle-references.js';

export const readMarkdown: DocumentReader = (bytes) => {
  const tree = fromMarkdown(decodeText(bytes), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  settleReferences(tree, { image: safeLink, link: safeLink });
  const title = tree.children.find((node) => node.type === 'heading');
  return { tree, title: title === undefined ? undefined : toString(title), images: [], warnings: [] };
};
