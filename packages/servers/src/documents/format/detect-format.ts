import { DocumentError } from '../document-error.js';
import { DOCUMENT_FORMATS, FORMAT_NAMES, type DocumentFormat, type FormatName } from './document-format.js';
import { sniffContent } from './sniff-content.js';

/** What is known of a document before it is read. */
export interface FormatHints {
  /** Of content that came with the call: its caller knows best. */
  readonly format?: FormatName | undefined;
  /** What the caller expects of a path or a URL. It decides nothing, and is refused when it is wrong. */
  readonly expected?: FormatName | undefined;
  readonly fileName?: string | undefined;
  readonly mediaType?: string | undefined;
}

const formats = FORMAT_NAMES.map((name) => DOCUMENT_FORMATS[name]);

const MACRO_EXTENSIONS = /\.(?:docm|dotm|xlsm|xltm|xlsb|pptm|potm|ppsm)$/iu;

const byName = (fileName: string): DocumentFormat | undefined => {
  const lower = fileName.toLowerCase();
  return formats.find(({ extensions }) => extensions.some((extension) => lower.endsWith(extension)));
};

const byMediaType = (mediaType: string): DocumentFormat | undefined => {
  const [essence = ''] = mediaType.toLowerCase().split(';');
  return formats.find(({ mediaTypes }) => mediaTypes.includes(essence.trim()));
};

const claimed = ({ format, fileName = '', mediaType = '' }: FormatHints): DocumentFormat | undefined => {
  if (format !== undefined) return DOCUMENT_FORMATS[format];
  if (MACRO_EXTENSIONS.test(fileName)) {
    throw new DocumentError('MACROS_REFUSED', 'Office files with macros are not read.', 'Save it without macros.');
  }
  const named = byName(fileName);
  // A server that knows nothing better says text/plain; the name knows better.
  return named ?? byMediaType(mediaType);
};

/** The format by what the bytes are; a name or a type that says otherwise is refused, never followed. */
export const detectFormat = (bytes: Uint8Array, hints: FormatHints): DocumentFormat => {
  const format = formatOf(bytes, hints);
  if (hints.expected !== undefined && hints.expected !== format.name) {
    throw mismatch(DOCUMENT_FORMATS[hints.expected], format.title);
  }
  return format;
};

const formatOf = (bytes: Uint8Array, hints: FormatHints): DocumentFormat => {
  const claim = claimed(hints);
  const found = sniffContent(bytes);
  switch (found.kind) {
    case 'legacy-office':
      throw new DocumentError(
        'ENCRYPTED',
        'The file is encrypted, or in an Office format older than 2007.',
        'Save it as DOCX, XLSX or PPTX without a password.',
      );
    case 'format':
      if (claim !== undefined && claim.name !== found.format) {
        throw mismatch(claim, DOCUMENT_FORMATS[found.format].title);
      }
      return DOCUMENT_FORMATS[found.format];
    case 'binary':
      if (claim === undefined) throw unknown();
      throw mismatch(claim, 'something else');
    case 'archive':
      if (claim === undefined) throw unknown();
      if (claim.binary && claim.name !== 'pdf') {
        throw new DocumentError('DAMAGED', `The ${claim.title} file lacks its main part.`);
      }
      throw mismatch(claim, 'an archive');
    case 'text':
      if (claim === undefined) throw unknown();
      if (claim.binary) throw mismatch(claim, 'text');
      return claim;
  }
};

const unknown = (): DocumentError =>
  new DocumentError(
    'FORMAT_UNKNOWN',
    'The format of the document is not known.',
    'get_supported_formats lists those that are.',
  );

const mismatch = ({ title }: DocumentFormat, actual: string): DocumentError =>
  new DocumentError('FORMAT_MISMATCH', `The document is called ${title} but its content is ${actual}.`);
