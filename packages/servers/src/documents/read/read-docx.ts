import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import type { Archive } from '../archive/open-archive.js';
import { openOfficeArchive } from '../archive/office-archive.js';
import { DocumentError } from '../document-error.js';
import { parseXml } from '../xml/parse-xml.js';
import { DocxMath } from './docx-math.js';
import { DocxNumbers } from './docx-numbers.js';
import { markdownTree, parseHtml } from './html-tree.js';
import { ImageCollector } from '../tree/image-collector.js';
import { officeTitle } from '../archive/office-title.js';
import type { DocumentReader } from '../tree/document-reader.js';
import { safeLink, settleReferences } from '../tree/settle-references.js';
import { decodeXml } from '../xml/decode-xml.js';
import { counted } from '../tree/counted.js';

// A picture without an address would vanish with its description.
const ABSENT = 'absent:';

const CODE_PARAGRAPHS = ['Source Code', 'HTML Preformatted', 'Preformatted Text', 'Code', 'Plain Text'];
const CODE_RUNS = ['Verbatim Char', 'Source Text', 'HTML Code', 'Inline Code'];
const QUOTES = ['Quote', 'Intense Quote', 'Block Text', 'Quotations', 'Block Quotation'];

const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  ...CODE_PARAGRAPHS.map((name) => `p[style-name='${name}'] => pre:separator('\\n')`),
  ...CODE_RUNS.map((name) => `r[style-name='${name}'] => code`),
  ...QUOTES.map((name) => `p[style-name='${name}'] => blockquote > p:fresh`),
];

/** mammoth unpacks without limits: it gets a fresh, flat archive of what passed ours. */
const flatten = (archive: Archive): Buffer => Buffer.from(zipSync(Object.fromEntries(archive), { level: 0 }));

/** A picture that is not in the archive, because nobody wants it or it never was, makes mammoth throw. */
const readImage = async (read: () => Promise<Buffer>): Promise<Buffer | undefined> => {
  try {
    return await read();
  } catch {
    return undefined;
  }
};

const toHtml = async (archive: Archive, collector: ImageCollector): Promise<string> => {
  let count = 0;
  const convertImage = mammoth.images.imgElement(async (image) => {
    const bytes = await readImage(image.readAsBuffer);
    count += 1;
    return { src: collector.add(`picture:${count}`, image.contentType, () => bytes) ?? ABSENT };
  });
  try {
    const { value } = await mammoth.convertToHtml({ buffer: flatten(archive) }, { convertImage, styleMap: STYLES });
    return value;
  } catch {
    throw new DocumentError('DAMAGED', 'The Word file cannot be read.');
  }
};

export const readDocx: DocumentReader = async (bytes, options) => {
  const { limits } = options;
  const archive = openOfficeArchive(bytes, options);
  const main = archive.get('word/document.xml');
  if (main === undefined) throw new DocumentError('DAMAGED', 'The Word file lacks its text.');
  // Parsed once with our own limits, so that the recursive reader below meets nothing it cannot return from.
  parseXml(main, limits.depth);
  const collector = new ImageCollector(options);
  const math = new DocxMath(limits.depth);
  const numbers = new DocxNumbers(limits.depth);
  const root = parseHtml(await toHtml(numbers.takeFrom(math.takeFrom(archive)), collector), limits.depth);
  const tree = settleReferences(math.putBack(numbers.putBack(markdownTree(root))), {
    image: (url) => (url === ABSENT ? undefined : url),
    // Places in a Word file have no name in the converted one.
    link: (url) => (url.startsWith('#') ? undefined : safeLink(url)),
  });
  return {
    tree,
    title: officeTitle(archive, limits.depth),
    images: collector.images,
    warnings: [...docxLosses(archive), ...collector.warnings],
  };
};

const countIn = (archive: Archive, part: string, pattern: RegExp): number => {
  const bytes = archive.get(part);
  return bytes === undefined ? 0 : (decodeXml(bytes).match(pattern)?.length ?? 0);
};

const MAIN = 'word/document.xml';

/** What a Word file holds that has no place in the converted document. */
const docxLosses = (archive: Archive): readonly string[] => {
  const marginal = [...archive.keys()].filter(
    // A page number is no loss.
    (name) =>
      /^word\/(?:header|footer)\d*\.xml$/u.test(name) &&
      countIn(archive, name, /<w:t(?: [^<>]*)?>[^<\p{L}]*\p{L}/gu) > 0,
  ).length;
  const losses: readonly (readonly [number, string, string])[] = [
    [countIn(archive, 'word/comments.xml', /<w:comment[ >]/gu), 'comment', 'comments'],
    [countIn(archive, MAIN, /<w:del[ >]/gu), 'deleted passage', 'deleted passages'],
    [countIn(archive, MAIN, /<c:chart[ >]/gu), 'chart', 'charts'],
    [countIn(archive, MAIN, /<dgm:relIds[ >]/gu), 'diagram', 'diagrams'],
    [countIn(archive, MAIN, /<o:OLEObject[ >]/gu), 'embedded object', 'embedded objects'],
    [marginal, 'header or footer', 'headers and footers'],
  ];
  return losses.flatMap(([count, one, many]) => (count === 0 ? [] : [`${counted(count, one, many)} left out.`]));
};
