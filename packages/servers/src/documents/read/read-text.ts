import { decodeText } from './decode-text.js';
import type { DocumentReader } from '../tree/document-reader.js';
import { paragraph, text } from '../tree/tree.js';

/** Blocks between empty lines become paragraphs; their lines stay lines. */
export const readText: DocumentReader = (bytes) => {
  const blocks = decodeText(bytes)
    .replaceAll(/\r\n?/gu, '\n')
    .split(/\n[^\S\n]*\n+/u)
    .map((block) => block.replace(/^\n+/u, '').trimEnd())
    .filter((block) => block !== '');
  return { tree: { type: 'root', children: blocks.map((block) => paragraph(text(block))) }, images: [], warnings: [] };
};
