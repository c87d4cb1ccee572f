import type { FormatName } from './document-format.js';
import { unzipSync } from 'fflate';

/** The names in an archive, without unpacking anything; empty when it cannot be read. */
const archiveNames = (bytes: Uint8Array): ReadonlySet<string> => {
  const names = new Set<string>();
  try {
    unzipSync(bytes, {
      filter: ({ name }) => {
        names.add(name);
        return false;
      },
    });
  } catch {
    // A broken archive has the names that were read until then.
  }
  return names;
};

export type SniffedContent =
  | { readonly kind: 'format'; readonly format: FormatName }
  | { readonly kind: 'archive' | 'legacy-office' | 'binary' | 'text' };

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((value, index) => bytes[index] === value);

const MAIN_PARTS: readonly (readonly [string, FormatName])[] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
  ['META-INF/container.xml', 'epub'],
];

/** OpenDocument files say what they are in their first, unpacked part. */
const ODF = /^mimetypeapplication\/vnd\.oasis\.opendocument\.(text|presentation|spreadsheet)/u;
const ODF_FORMATS: Readonly<Record<string, FormatName>> = { text: 'odt', presentation: 'odp', spreadsheet: 'ods' };

const sniffArchive = (bytes: Uint8Array): SniffedContent => {
  const names = archiveNames(bytes);
  const main = MAIN_PARTS.find(([part]) => names.has(part));
  if (main !== undefined) return { kind: 'format', format: main[1] };
  const kind = ODF.exec(Buffer.from(bytes.subarray(30, 150)).toString('latin1'))?.[1];
  const format = names.has('content.xml') ? ODF_FORMATS[kind ?? ''] : undefined;
  return format === undefined ? { kind: 'archive' } : { kind: 'format', format };
};

const IMAGES: readonly (readonly number[])[] = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x49, 0x49, 0x2a, 0x00],
  [0x4d, 0x4d, 0x00, 0x2a],
];

const isImage = (bytes: Uint8Array): boolean =>
  IMAGES.some((magic) => startsWith(bytes, magic)) ||
  (startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50])) ||
  (startsWith(bytes, [0x42, 0x4d]) && bytes.subarray(6, 10).every((value) => value === 0));

const RTF = Array.from('{\\rtf', (character) => character.charCodeAt(0));
const PDF_HEADER_WITHIN = 1024;
const TEXT_SAMPLE = 65_536;

const isUtf16 = (bytes: Uint8Array): boolean => startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff]);

/** What the bytes themselves say. */
export const sniffContent = (bytes: Uint8Array): SniffedContent => {
  // Readers accept a PDF whose header comes a little late.
  if (Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).includes('%PDF-')) return { kind: 'format', format: 'pdf' };
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0x50, 0x4b, 0x05, 0x06])) {
    return sniffArchive(bytes);
  }
  if (isImage(bytes)) return { kind: 'format', format: 'image' };
  if (startsWith(bytes, RTF)) return { kind: 'format', format: 'rtf' };
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return { kind: 'legacy-office' };
  if (!isUtf16(bytes) && bytes.subarray(0, TEXT_SAMPLE).includes(0)) return { kind: 'binary' };
  return { kind: 'text' };
};
