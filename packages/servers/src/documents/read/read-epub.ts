import type { Root } from 'mdast';
import { posix } from 'node:path';
import { openArchive, type Archive } from '../archive/open-archive.js';
import { DocumentError } from '../document-error.js';
import { parseXml } from '../xml/parse-xml.js';
import { attribute, child, childrenOf, descend, textOf, type XmlElement } from '../xml/xml-element.js';
import { decodeXml } from '../xml/decode-xml.js';
import { markdownTree, parseHtml } from './html-tree.js';
import { ImageCollector, imageType } from '../tree/image-collector.js';
import { numberFootnotes } from '../tree/number-footnotes.js';
import type { DocumentReader } from '../tree/document-reader.js';
import { settleReferences } from '../tree/settle-references.js';

const part = (archive: Archive, name: string): Uint8Array => {
  const bytes = archive.get(name);
  if (bytes === undefined) throw new DocumentError('DAMAGED', 'The book lacks a part that it names.');
  return bytes;
};

/** The name of a part as another part refers to it. */
const resolvePart = (from: string, href: string): string => {
  const [path = ''] = href.split('#');
  try {
    return posix.join(posix.dirname(from), decodeURIComponent(path));
  } catch {
    return path;
  }
};

const refuseProtected = (archive: Archive, depth: number): void => {
  const encryption = archive.get('META-INF/encryption.xml');
  if (encryption === undefined) return;
  const references = childrenOf(parseXml(encryption, depth), 'EncryptedData').map((data) =>
    attribute(descend(data, 'CipherData', 'CipherReference'), 'URI'),
  );
  // Fonts are often scrambled in books that are otherwise free to read.
  if (references.some((uri = '') => /\.x?html?$/iu.test(uri))) {
    throw new DocumentError('ENCRYPTED', 'The book is protected against copying.');
  }
};

interface Package {
  readonly path: string;
  readonly chapters: readonly string[];
  readonly title?: string | undefined;
}

const readPackage = (archive: Archive, depth: number): Package => {
  const container = parseXml(part(archive, 'META-INF/container.xml'), depth);
  const path = attribute(descend(container, 'rootfiles', 'rootfile'), 'full-path') ?? '';
  const opf: XmlElement = parseXml(part(archive, path), depth);
  const items = new Map(
    childrenOf(child(opf, 'manifest'), 'item').map((item) => [item.attributes['id'], item.attributes['href'] ?? '']),
  );
  const chapters = childrenOf(child(opf, 'spine'), 'itemref')
    .map((reference) => items.get(reference.attributes['idref'] ?? ''))
    .filter((href) => href !== undefined)
    .map((href) => resolvePart(path, href));
  return { path, chapters, title: textOf(descend(opf, 'metadata', 'title')).trim() || undefined };
};

export const readEpub: DocumentReader = (bytes, options) => {
  const { limits, progress } = options;
  const archive = openArchive(
    bytes,
    limits,
    (name) => /\.(?:xml|opf|x?html?|ncx)$/iu.test(name) || (options.images && imageType(name) !== undefined),
  );
  refuseProtected(archive, limits.depth);
  const { chapters, title } = readPackage(archive, limits.depth);
  if (chapters.length > limits.pages) {
    throw new DocumentError('TOO_LARGE', `The book has more than ${limits.pages} chapters.`);
  }
  const collector = new ImageCollector(options);
  const tree: Root = { type: 'root', children: [] };
  for (const [index, name] of chapters.entries()) {
    const chapter = markdownTree(parseHtml(decodeXml(part(archive, name)), limits.depth), `${index} `);
    settleReferences(chapter, {
      image: (url) => {
        const source = resolvePart(name, url);
        return collector.add(source, imageType(source), () => archive.get(source));
      },
      // Links between chapters have no meaning outside the book.
      link: (url) => (/^(?:https?:|mailto:)/iu.test(url) ? url : undefined),
    });
    tree.children.push(...chapter.children);
    progress(index + 1, chapters.length);
  }
  return {
    tree: numberFootnotes(tree),
    title,
    pages: chapters.length,
    images: collector.images,
    warnings: collector.warnings,
  };
};
