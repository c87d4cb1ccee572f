import type { FormatName } from '../format/document-format.js';
import type { DocumentContent } from '../tree/document-reader.js';

/** The document as a Markdown syntax tree (mdast), with what is known of it. */
export const writeJson = ({ tree, title, pages }: DocumentContent, format: FormatName): string =>
  `${JSON.stringify(
    { title: title ?? null, format, pages: pages ?? null, content: tree },
    // Where a node stood in a Markdown source says nothing about the other formats.
    (key, value: unknown) => (key === 'position' ? undefined : value),
    2,
  )}\n`;
