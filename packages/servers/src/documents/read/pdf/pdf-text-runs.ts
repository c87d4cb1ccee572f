import { safeLink } from '../../tree/settle-references.js';
import { splitWords } from '../layout/split-words.js';
import type { TextRun } from '../layout/text-run.js';
import type { PdfAnnotation, PdfTextItem } from './pdf-js.js';

const linkAt = (links: readonly PdfAnnotation[], x: number, y: number): string | undefined => {
  const found = links.find(
    ({ rect: [left, bottom, right, top] }) => x >= left && x <= right && y >= bottom && y <= top,
  );
  return found?.url === undefined ? undefined : safeLink(found.url);
};

/** Whether a link begins or ends inside of a run. */
const isCut = ({ x, y, width, size }: TextRun, { rect: [left, bottom, right, top] }: PdfAnnotation): boolean =>
  y + size / 3 >= bottom &&
  y + size / 3 <= top &&
  left < x + width - 1 &&
  right > x + 1 &&
  (left > x + size / 2 || right < x + width - size / 2);

/** An item as runs: one, or one for each word where a link covers only some of them. */
export const textRuns = (
  { str, width, transform, fontName }: PdfTextItem,
  links: readonly PdfAnnotation[],
  fixed: boolean,
): readonly TextRun[] => {
  const [, , c, d, x, y] = transform;
  const run: TextRun = { text: str, x, y, width, size: Math.hypot(c, d) || 1, font: fontName, fixed };
  if (links.length === 0) return [run];
  const pieces = links.some((annotation) => isCut(run, annotation)) ? splitWords(run) : [run];
  return pieces.map((piece) => ({ ...piece, url: linkAt(links, piece.x + piece.width / 2, y + run.size / 3) }));
};
