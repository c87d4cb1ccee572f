import { openArchive, type Archive } from '../../archive/open-archive.js';
import { DocumentError } from '../../document-error.js';
import { decodeXml } from '../../xml/decode-xml.js';
import { parseXml } from '../../xml/parse-xml.js';
import { child, descend, textOf, type XmlElement } from '../../xml/xml-element.js';
import type { ReadOptions } from '../../tree/document-reader.js';

/** An OpenDocument file, unpacked within limits: its XML, and its pictures when they are wanted. */
export interface OdfFile {
  readonly archive: Archive;
  readonly content: XmlElement;
  readonly styles: XmlElement | undefined;
  readonly title: string | undefined;
}

const isWanted = (name: string, images: boolean): boolean =>
  /^(?:content|styles|meta)\.xml$|^META-INF\/manifest\.xml$|^Object [^/]+\/content\.xml$|^Object[^/]*\/content\.xml$|^Formula-[^/]+\/content\.xml$/u.test(
    name,
  ) ||
  (images && /^(?:Pictures|media)\//u.test(name));

const refuseDeclarations = (archive: Archive): void => {
  for (const name of ['content.xml', 'styles.xml', 'meta.xml']) {
    const bytes = archive.get(name);
    if (bytes !== undefined && /<!(?:DOCTYPE|ENTITY)/iu.test(decodeXml(bytes))) {
      throw new DocumentError('XML_REFUSED', 'The document declares XML entities, which Office files never do.');
    }
  }
};

const refuseEncrypted = (archive: Archive): void => {
  const manifest = archive.get('META-INF/manifest.xml');
  if (manifest !== undefined && /<(?:manifest:)?encryption-data/u.test(decodeXml(manifest))) {
    throw new DocumentError('ENCRYPTED', 'The document is protected by a password.', 'Save it without a password.');
  }
};

export const openOdfArchive = (bytes: Uint8Array, { limits, images }: ReadOptions): Archive => {
  const archive = openArchive(bytes, limits, (name) => {
    if (/^(?:Basic|Scripts)\//u.test(name)) {
      throw new DocumentError('MACROS_REFUSED', 'Office files with macros are not read.', 'Save it without macros.');
    }
    return isWanted(name, images);
  });
  refuseDeclarations(archive);
  refuseEncrypted(archive);
  return archive;
};

export const openOdf = (bytes: Uint8Array, options: ReadOptions): OdfFile => {
  const archive = openOdfArchive(bytes, options);
  const { depth } = options.limits;
  const [main, styles, meta] = ['content.xml', 'styles.xml', 'meta.xml'].map((name) => archive.get(name));
  if (main === undefined) throw new DocumentError('DAMAGED', 'The document lacks its content.');
  const title = meta === undefined ? '' : textOf(descend(parseXml(meta, depth), 'meta', 'title')).trim();
  return {
    archive,
    content: parseXml(main, depth),
    styles: styles === undefined ? undefined : parseXml(styles, depth),
    title: title === '' ? undefined : title,
  };
};

/** The part of the content that is the document itself. */
export const bodyOf = ({ content }: OdfFile, kind: 'text' | 'presentation'): XmlElement => {
  const body = child(child(content, 'body'), kind);
  if (body === undefined) throw new DocumentError('DAMAGED', 'The document lacks its content.');
  return body;
};
