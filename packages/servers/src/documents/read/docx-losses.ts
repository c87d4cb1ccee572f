import type { Archive } from '../archive/open-archive.js';
import { decodeXml } from '../xml/decode-xml.js';
import { counted } from '../tree/counted.js';

const countIn = (archive: Archive, part: string, pattern: RegExp): number => {
  const bytes = archive.get(part);
  return bytes === undefined ? 0 : (decodeXml(bytes).match(pattern)?.length ?? 0);
};

const MAIN = 'word/document.xml';

/** What a Word file holds that has no place in the converted document. */
export const docxLosses = (archive: Archive): readonly string[] => {
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
