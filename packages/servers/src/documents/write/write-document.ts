import type { DocumentContent } from '../tree/document-reader.js';
import type { FormatName } from '../format/document-format.js';
import { withoutTables } from './without-tables.js';
import { writeHtml } from './write-html.js';
import { writeJson } from './write-json.js';
import { writeMarkdown } from './write-markdown.js';
import { writeText } from './write-text.js';

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
