import { strToU8, zipSync } from 'fflate';
import type { DocumentErrorCode } from '../document-error.js';
import { fixture } from './fixture.js';
import { officeFile, wordDocument, wordText } from './office-file.js';
import { pdfOfPages, textPage } from './pdf-file.js';

export interface HostileDocument {
  readonly what: string;
  readonly fileName: string;
  readonly bytes: () => Uint8Array;
  readonly code: DocumentErrorCode;
}

const MIB = 1024 * 1024;

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY l "lol">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index === 0 ? '' : index};`.repeat(10)}">`,
).join('')}]>`;

const XXE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>';

const utf16 = (text: string): Uint8Array => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

const docx = (body: string, declaration = ''): Uint8Array =>
  officeFile({ 'word/document.xml': wordDocument(body, declaration) });

/** A copy whose directory says that its last part unpacks to this many bytes. */
const lying = (archive: Uint8Array, size: number): Uint8Array => {
  const bytes = Buffer.from(archive);
  const entry = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  bytes.writeUInt32LE(size, entry + 24);
  return new Uint8Array(bytes);
};

const twice = (): Uint8Array => {
  const archive = Buffer.from(officeFile({ 'word/document.xml': wordDocument(''), 'word/documenu.xml': 'x' }));
  for (let at = archive.indexOf('word/documenu.xml'); at !== -1; at = archive.indexOf('word/documenu.xml', at)) {
    archive.write('word/document.xml', at);
  }
  return new Uint8Array(archive);
};

const half =
  (name: string): (() => Uint8Array) =>
  () => {
    const bytes = fixture(name);
    return bytes.slice(0, Math.floor(bytes.length / 2));
  };

const bomb = (): Uint8Array => new Uint8Array(4 * MIB).fill(0x20);

const deepXml = `${'<w:ins>'.repeat(5000)}${'</w:ins>'.repeat(5000)}`;

/** Documents that mean harm, each with the refusal it earns. */
export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [
  {
    what: 'a zip bomb',
    fileName: 'a.docx',
    bytes: () => officeFile({ 'word/document.xml': bomb() }),
    code: 'ARCHIVE_REFUSED',
  },
  {
    what: 'a zip bomb that declares its size',
    fileName: 'a.xlsx',
    bytes: () => lying(officeFile({ 'xl/workbook.xml': '<workbook/>', 'xl/big.xml': 'x' }), 0xf0_00_00_00),
    code: 'ARCHIVE_REFUSED',
  },
  {
    what: 'a zip bomb that hides its size',
    fileName: 'a.docx',
    bytes: () => lying(officeFile({ 'word/document.xml': bomb() }), 100),
    code: 'DAMAGED',
  },
  {
    what: 'a zip bomb in a zip',
    fileName: 'a.epub',
    bytes: () => zipSync({ 'inner.zip': zipSync({ 'bomb.xml': bomb() }) }),
    code: 'DAMAGED',
  },
  {
    what: 'an archive with very many parts',
    fileName: 'a.epub',
    bytes: () =>
      zipSync(
        Object.fromEntries(
          Array.from({ length: 6000 }, (_, index) => [
            index === 0 ? 'META-INF/container.xml' : `p${index}`,
            strToU8(''),
          ]),
        ),
        { level: 0 },
      ),
    code: 'ARCHIVE_REFUSED',
  },
  { what: 'billion laughs', fileName: 'a.docx', bytes: () => docx(wordText('&l9;'), LAUGHS), code: 'XML_REFUSED' },
  {
    what: 'billion laughs in UTF-16',
    fileName: 'a.pptx',
    bytes: () => officeFile({ 'ppt/presentation.xml': utf16(`${LAUGHS}<p:presentation/>`) }),
    code: 'XML_REFUSED',
  },
  {
    what: 'billion laughs in a book',
    fileName: 'a.epub',
    bytes: () => zipSync({ 'META-INF/container.xml': strToU8(`${LAUGHS}<container>&l9;</container>`) }),
    code: 'DAMAGED',
  },
  { what: 'an external entity', fileName: 'a.docx', bytes: () => docx(wordText('&x;'), XXE), code: 'XML_REFUSED' },
  { what: 'elements in elements in elements', fileName: 'a.docx', bytes: () => docx(deepXml), code: 'TOO_DEEP' },
  {
    what: 'a macro by its name',
    fileName: 'a.docm',
    bytes: () => officeFile({ 'word/document.xml': wordDocument('') }),
    code: 'MACROS_REFUSED',
  },
  {
    what: 'a macro under an innocent name',
    fileName: 'a.docx',
    bytes: () => officeFile({ 'word/document.xml': wordDocument(''), 'word/vbaProject.bin': 'x' }),
    code: 'MACROS_REFUSED',
  },
  {
    what: 'a workbook with macros',
    fileName: 'a.xlsm',
    bytes: () => officeFile({ 'xl/workbook.xml': '<workbook/>' }),
    code: 'MACROS_REFUSED',
  },
  {
    what: 'a type that enables macros',
    fileName: 'a.xlsx',
    bytes: () => officeFile({ '[Content_Types].xml': '<Types a="macroEnabled"/>', 'xl/workbook.xml': '<workbook/>' }),
    code: 'MACROS_REFUSED',
  },
  {
    what: 'a part that climbs out',
    fileName: 'a.docx',
    bytes: () => officeFile({ 'word/document.xml': wordDocument(''), '../../evil.xml': 'x' }),
    code: 'ARCHIVE_REFUSED',
  },
  {
    what: 'a part with an absolute name',
    fileName: 'a.docx',
    bytes: () => officeFile({ 'word/document.xml': wordDocument(''), '/etc/evil.xml': 'x' }),
    code: 'ARCHIVE_REFUSED',
  },
  {
    what: 'a part with the name of a drive',
    fileName: 'a.docx',
    bytes: () => officeFile({ 'word/document.xml': wordDocument(''), 'C:\\evil.xml': 'x' }),
    code: 'ARCHIVE_REFUSED',
  },
  { what: 'two parts of one name', fileName: 'a.docx', bytes: twice, code: 'ARCHIVE_REFUSED' },
  { what: 'a PDF under a password', fileName: 'a.pdf', bytes: () => fixture('encrypted.pdf'), code: 'ENCRYPTED' },
  {
    what: 'an old Office file',
    fileName: 'a.docx',
    bytes: () => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]),
    code: 'ENCRYPTED',
  },
  {
    what: 'ten thousand pages',
    fileName: 'a.pdf',
    bytes: () => pdfOfPages(Array.from({ length: 10_000 }, () => textPage('x'))),
    code: 'TOO_LARGE',
  },
  {
    what: 'a PDF without its table, its pages and its end',
    fileName: 'a.pdf',
    bytes: () =>
      strToU8(
        '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 9 0 R >>\nendobj\nxref\n0 1\ngarbage\nstartxref\n99999999\n',
      ),
    code: 'DAMAGED',
  },
  { what: 'a truncated DOCX', fileName: 'a.docx', bytes: half('report.docx'), code: 'DAMAGED' },
  { what: 'a truncated XLSX', fileName: 'a.xlsx', bytes: half('budget.xlsx'), code: 'DAMAGED' },
  { what: 'a truncated PPTX', fileName: 'a.pptx', bytes: half('slides.pptx'), code: 'DAMAGED' },
  { what: 'a truncated EPUB', fileName: 'a.epub', bytes: half('report.epub'), code: 'DAMAGED' },
  { what: 'a truncated PDF', fileName: 'a.pdf', bytes: () => fixture('report.pdf').slice(0, 2000), code: 'DAMAGED' },
  {
    what: 'a PDF that is called DOCX',
    fileName: 'a.docx',
    bytes: () => fixture('report.pdf'),
    code: 'FORMAT_MISMATCH',
  },
  {
    what: 'a DOCX that is called PDF',
    fileName: 'a.pdf',
    bytes: () => fixture('report.docx'),
    code: 'FORMAT_MISMATCH',
  },
  {
    what: 'a program that is called text',
    fileName: 'a.txt',
    bytes: () => new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0]),
    code: 'FORMAT_MISMATCH',
  },
  { what: 'a program', fileName: 'a.exe', bytes: () => new Uint8Array([0x4d, 0x5a, 0, 0]), code: 'FORMAT_UNKNOWN' },
  {
    what: 'a table with too many cells',
    fileName: 'a.csv',
    bytes: () => strToU8('1,2,3,4,5,6,7,8,9,10\n'.repeat(60_000)),
    code: 'TOO_LARGE',
  },
  { what: 'HTML in HTML in HTML', fileName: 'a.html', bytes: () => strToU8('<div>'.repeat(20_000)), code: 'TOO_DEEP' },
];
