import { archiveNames } from '../archive/archive-names.js';
import type { FormatName } from './document-format.js';

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

const sniffArchive = (bytes: Uint8Array): SniffedContent => {
  const names = archiveNames(bytes);
  const main = MAIN_PARTS.find(([part]) => names.has(part));
  return main === undefined ? { kind: 'archive' } : { kind: 'format', format: main[1] };
};

const PDF_HEADER_WITHIN = 1024;
const TEXT_SAMPLE = 65_536;

const isUtf16 = (bytes: Uint8Array): boolean => startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff]);

/** What the bytes themselves say. */
export const sniffContent = (bytes: Uint8Array): SniffedContent => {
  // Readers accept a PDF whose header comes a little late.
  if (Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).includes('%PDF-')) return { kind: 'format', format: 'pdf' };
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0x50, 0x4b, 0x05, 0x06]))
    return sniffArchive(bytes);
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return { kind: 'legacy-office' };
  if (!isUtf16(bytes) && bytes.subarray(0, TEXT_SAMPLE).includes(0)) return { kind: 'binary' };
  return { kind: 'text' };
};
