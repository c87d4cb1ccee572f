import { DocumentError } from '../document-error.js';
import { DOCUMENT_FORMATS, type FormatName } from '../format/document-format.js';
import type { LoadedSource } from './loaded-source.js';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/u;

/** Content that came with the call: text as it is, binary formats as base64. */
export const decodeContent = (content: string, format: FormatName | undefined, maxBytes: number): LoadedSource => {
  if (format === undefined) {
    throw new DocumentError('INVALID_INPUT', 'content needs its format.', 'get_supported_formats lists the formats.');
  }
  if (content.length > maxBytes * 1.4) {
    throw new DocumentError('TOO_LARGE', `The document is larger than ${maxBytes} bytes.`);
  }
  if (!DOCUMENT_FORMATS[format].binary) return { bytes: new TextEncoder().encode(content), hints: { format } };
  const compact = content.replaceAll(/\s+/gu, '');
  if (compact === '' || !BASE64.test(compact)) {
    throw new DocumentError('INVALID_INPUT', `Content of the format ${format} must be base64.`);
  }
  return { bytes: new Uint8Array(Buffer.from(compact, 'base64')), hints: { format } };
};
