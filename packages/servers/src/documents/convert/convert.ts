import { DocumentError } from '../document-error.js';
import { DOCUMENT_FORMATS, type FormatName } from '../format/document-format.js';
import { detectFormat, type FormatHints } from '../format/detect-format.js';
import type { Limits } from '../limits.js';
import { loadReader, type ExtractedImage } from '../read/read-document.js';
import { writeDocument, type OutputFormat } from '../write/write-document.js';

/** One document to convert, as it travels to the process that does it. */
export interface Conversion {
  readonly bytes: Uint8Array;
  readonly hints: FormatHints;
  readonly output: OutputFormat;
  readonly tables: boolean;
  readonly images: boolean;
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
  if (images && !possible && binary)
    throw new DocumentError(
      'NOT_SUPPORTED',
      `Images of ${title} files are not supported.`,
      'Call again without images.',
    );
};

/** Converts one document. Everything a hostile one can do short of hanging or filling memory ends as a DocumentError. */
export const convert = async (conversion: Conversion, progress: ReportProgress): Promise<ConvertedDocument> => {
  const { bytes, hints, output, tables, images, limits } = conversion;
  if (bytes.length > limits.inputBytes)
    throw new DocumentError('TOO_LARGE', `The document is larger than ${limits.inputBytes} bytes.`);
  const { name: format } = detectFormat(bytes, hints);
  refuseWhatCannotBe(format, images);
  try {
    const read = await loadReader(format);
    const content = await read(bytes, { limits, images, progress });
    const text = writeDocument(content, { output, format, tables });
    if (text.length > limits.outputCharacters)
      throw new DocumentError(
        'TOO_LARGE',
        `Converted, the document is longer than ${limits.outputCharacters} characters.`,
      );
    const { title, pages, images: found, warnings } = content;
    return { text, format, output, title, pages, images: found, warnings };
  } catch (error) {
    throw asDocumentError(error);
  }
};

const asDocumentError = (error: unknown): DocumentError => {
  if (error instanceof DocumentError) return error;
  if (error instanceof RangeError) return new DocumentError('TOO_DEEP', 'The document is nested too deeply.');
  return new DocumentError('DAMAGED', 'The document cannot be read.');
};
