import type { Nodes } from 'mdast';
import { DocumentError } from '../document-error.js';
import { DOCUMENT_FORMATS, type FormatName } from '../format/document-format.js';
import { detectFormat, type FormatHints } from '../format/detect-format.js';
import type { Limits } from '../limits.js';
import type { OcrSettings } from '../ocr-settings.js';
import { loadReader } from '../read/read-document.js';
import type { DocumentContent, ExtractedImage } from '../tree/document-reader.js';
import { writeDocument, type OutputFormat } from '../write/write-document.js';

/** One document to convert, as it travels to the process that does it. */
export interface Conversion {
  readonly bytes: Uint8Array;
  readonly hints: FormatHints;
  readonly output: OutputFormat;
  readonly tables: boolean;
  readonly images: boolean;
  /** How text in pictures is recognised, where that is wanted. */
  readonly ocr?: OcrSettings | undefined;
  readonly limits: Limits;
}

export interface ConvertedDocument {
  readonly text: string;
  readonly format: FormatName;
  readonly output: OutputFormat;
  readonly title?: string | undefined;
  readonly pages?: number | undefined;
  readonly images: readonly ExtractedImage[];
  readonly warnings: readonly string[];
}

export type ReportProgress = (done: number, total: number) => void;

const refuseWhatCannotBe = (format: FormatName, images: boolean): void => {
  const { title, images: possible, binary } = DOCUMENT_FORMATS[format];
  // Text formats carry no pictures at all: there is nothing to refuse.
  if (images && !possible && binary) {
    throw new DocumentError(
      'NOT_SUPPORTED',
      `Images of ${title} files are not supported.`,
      'Call again without images.',
    );
  }
};

/** Converts one document. Everything a hostile one can do short of hanging or filling memory ends as a DocumentError. */
export const convert = async (conversion: Conversion, progress: ReportProgress): Promise<ConvertedDocument> => {
  const { bytes, hints, output, tables, images, ocr, limits } = conversion;
  if (bytes.length > limits.inputBytes) {
    throw new DocumentError('TOO_LARGE', `The document is larger than ${limits.inputBytes} bytes.`);
  }
  const { name: format } = detectFormat(bytes, hints);
  refuseWhatCannotBe(format, images);
  try {
    const read = await loadReader(format);
    const content = await read(bytes, { limits, images, ocr, progress });
    if (!holdsSomething(content)) throw emptyDocument(format, ocr !== undefined);
    const text = writeDocument(content, { output, format, tables });
    if (text.length > limits.outputCharacters) {
      throw new DocumentError(
        'TOO_LARGE',
        `Converted, the document is longer than ${limits.outputCharacters} characters.`,
      );
    }
    const { title, pages, images: found, warnings } = content;
    return { text, format, output, title, pages, images: found, warnings };
  } catch (error) {
    throw asDocumentError(error);
  }
};

const holdsSomething = ({ tree, images }: DocumentContent): boolean =>
  images.length > 0 || tree.children.some((node) => hasWords(node));

const hasWords = (node: Nodes): boolean => {
  if ('children' in node) return node.children.some((child) => hasWords(child));
  if (node.type === 'image') return true;
  return 'value' in node && node.value.trim() !== '';
};

/** An empty result is an error: a reader would take it for a valid empty document. */
const emptyDocument = (format: FormatName, recognised: boolean): DocumentError => {
  if (format !== 'pdf' && format !== 'image') {
    return new DocumentError(
      'EMPTY',
      'The document holds no text.',
      'If it holds pictures, call again with images: true.',
    );
  }
  return recognised
    ? new DocumentError('EMPTY', 'The document holds no text, and none was recognised in its pictures.')
    : new DocumentError('EMPTY', 'The document holds no text.', 'If it was scanned, call again with ocr: true.');
};

const asDocumentError = (error: unknown): DocumentError => {
  if (error instanceof DocumentError) return error;
  if (error instanceof RangeError) return new DocumentError('TOO_DEEP', 'The document is nested too deeply.');
  return new DocumentError('DAMAGED', 'The document cannot be read.');
};
