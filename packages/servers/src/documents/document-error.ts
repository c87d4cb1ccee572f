/** Why a document was not converted: what a caller can act on. */
export const DOCUMENT_ERROR_CODES = [
  'INVALID_INPUT',
  'PATH_REFUSED',
  'NOT_FOUND',
  'URL_REFUSED',
  'URL_FAILED',
  'FORMAT_UNKNOWN',
  'FORMAT_MISMATCH',
  'NOT_SUPPORTED',
  'TOO_LARGE',
  'TOO_DEEP',
  'ARCHIVE_REFUSED',
  'XML_REFUSED',
  'MACROS_REFUSED',
  'ENCRYPTED',
  'DAMAGED',
  'EMPTY',
  'TIMED_OUT',
  'OUT_OF_MEMORY',
  'BUSY',
  'CANCELLED',
] as const;

export type DocumentErrorCode = (typeof DOCUMENT_ERROR_CODES)[number];

/** A refusal with a sentence for people and a hint; it never carries a path of the machine or the text of a library. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  readonly code: DocumentErrorCode;
  readonly hint: string | undefined;

  constructor(code: DocumentErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
