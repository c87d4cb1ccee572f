import type { DocumentContent } from '../tree/document-reader.js';
import type { FormatName } from '../format/document-format.js';
import { writeHtml } from './write-html.js';
import { writeMarkdown } from './write-markdown.js';
import { writeText } from './write-text.js';
import type { Root, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { paragraph, text } from '../tree/tree.js';

/** The document as a Markdown syntax tree (mdast), with what is known of it. */
const writeJson = ({ tree, title, pages }: DocumentContent, format: FormatName): string =>
  `${JSON.stringify(
    { title: title ?? null, format, pages: pages ?? null, content: tree },
    // Where a node stood in a Markdown source says nothing about the other formats.
    (key, value: unknown) => (key === 'position' ? undefined : value),
    2,
  )}\n`;

/** Tables as plain lines, for callers that do not want tables. */
const withoutTables = (tree: Root): Root => ({
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

export const OUTPUT_FORMATS = ['markdown', 'html', 'json', 'text'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export const OUTPUT_MEDIA_TYPES: Readonly<Record<OutputFormat, string>> = {
  markdown: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  text: 'text/plain',
};

export interface WriteOptions {
  readonly output: OutputFormat;
  readonly format: FormatName;
  readonly tables: boolean;
}

export const writeDocument = (content: DocumentContent, { output, format, tables }: WriteOptions): string => {
  const tree = tables ? content.tree : withoutTables(content.tree);
  switch (output) {
    case 'markdown':
      return writeMarkdown(tree);
    case 'html':
      return writeHtml(tree, content.title);
    case 'json':
      return writeJson({ ...content, tree }, format);
    case 'text':
      return writeText(tree);
  }
};
