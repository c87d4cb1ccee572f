import { DocumentError } from '../document-error.js';
import type { Limits } from '../limits.js';
import { decodeXml } from '../xml/decode-xml.js';
import { openArchive, type Archive } from './open-archive.js';

const isMacro = (name: string): boolean => /(?:^|\/)(?:vbaProject\.bin|vbaData\.xml)$/iu.test(name);
const isXml = (name: string): boolean => /\.(?:xml|rels)$/iu.test(name);
const isMedia = (name: string): boolean => /\/media\//u.test(name);

const refuseDeclarations = (archive: Archive): void => {
  for (const [name, bytes] of archive) {
    // Office Open XML has no document type declarations; a file with one wants entities expanded.
    if (isXml(name) && /<!(?:DOCTYPE|ENTITY)/iu.test(decodeXml(bytes))) {
      throw new DocumentError('XML_REFUSED', 'The document declares XML entities, which Office files never do.');
    }
  }
};

export interface OfficeArchiveOptions {
  readonly limits: Limits;
  readonly images: boolean;
}

/** The XML parts of an Office file, and its pictures when they are wanted: nothing that runs, nothing that is embedded. */
export const openOfficeArchive = (bytes: Uint8Array, { limits, images }: OfficeArchiveOptions): Archive => {
  const archive = openArchive(bytes, limits, (name) => {
    if (isMacro(name)) {
      throw new DocumentError('MACROS_REFUSED', 'Office files with macros are not read.', 'Save it without macros.');
    }
    return isXml(name) || (images && isMedia(name));
  });
  refuseDeclarations(archive);
  const types = archive.get('[Content_Types].xml');
  if (types === undefined) throw new DocumentError('DAMAGED', 'The Office file lacks its list of parts.');
  if (/macroEnabled/iu.test(decodeXml(types))) {
    throw new DocumentError('MACROS_REFUSED', 'Office files with macros are not read.', 'Save it without macros.');
  }
  return archive;
};
