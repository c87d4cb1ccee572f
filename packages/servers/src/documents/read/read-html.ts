import { decodeText } from './decode-text.js';
import { findElement, markdownTree, parseHtml } from './html-tree.js';
import { ImageCollector } from '../tree/image-collector.js';
import type { DocumentReader } from '../tree/document-reader.js';
import { safeLink, settleReferences, webImage } from '../tree/settle-references.js';

const DECLARED = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{2,40})/iu;

export const readHtml: DocumentReader = (bytes, options) => {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const root = parseHtml(decodeText(bytes, DECLARED.exec(head)?.[1]), options.limits.depth);
  const title = findElement(root, 'title')?.children.map((node) => (node.type === 'text' ? node.value : ''));
  const collector = new ImageCollector(options);
  const tree = settleReferences(markdownTree(root), {
    image: (url) => webImage(url) ?? collector.addDataUrl(url),
    link: safeLink,
  });
  return { tree, title: title?.join('').trim(), images: collector.images, warnings: collector.warnings };
};
