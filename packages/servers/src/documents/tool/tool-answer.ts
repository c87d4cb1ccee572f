import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { ConvertedDocument } from '../convert/convert.js';
import { DocumentError } from '../document-error.js';
import type { StoredDocument } from '../store/converted-store.js';
import type { ConvertOutput } from './convert-input.js';

const INLINE_CHARACTERS = 1_000_000;

/** The answer that holds a converted document: its text, its pictures, and where to read it again. */
export const convertedAnswer = (document: ConvertedDocument, stored: StoredDocument): CallToolResult => {
  const truncated = document.text.length > INLINE_CHARACTERS;
  const structuredContent: ConvertOutput = {
    uri: stored.uri,
    format: document.format,
    output_format: document.output,
    title: document.title ?? null,
    pages: document.pages ?? null,
    characters: document.text.length,
    truncated,
    images: document.images.map(({ name }) => name),
    warnings: [...document.warnings],
  };
  const pictures = document.images.map(({ bytes, mediaType }): ContentBlock => ({
    type: 'image',
    data: Buffer.from(bytes).toString('base64'),
    mimeType: mediaType,
  }));
  return {
    content: [
      { type: 'text', text: truncated ? document.text.slice(0, INLINE_CHARACTERS) : document.text },
      ...pictures,
      { type: 'resource_link', uri: stored.uri, name: stored.name, mimeType: stored.mediaType },
    ],
    structuredContent,
  };
};

/** The answer that says why not: a code to act on, a sentence, a hint. */
export const refusedAnswer = (error: unknown): CallToolResult => {
  const known = error instanceof DocumentError ? error : new DocumentError('DAMAGED', 'The document cannot be read.');
  const hint = known.hint === undefined ? '' : ` ${known.hint}`;
  return { isError: true, content: [{ type: 'text', text: `${known.code}: ${known.message}${hint}` }] };
};
