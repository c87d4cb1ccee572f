import type { PdfAnnotation, PdfPage, PdfStructNode, PdfTextItem } from './pdf-js.js';
import { scriptAfter, scriptBefore, type TextRun } from '../layout/text-run.js';
import { safeLink } from '../../tree/settle-references.js';
import { splitWords } from '../layout/split-words.js';

/** Everything of one page that tells what it says. */
export interface PdfPageText {
  readonly width: number;
  readonly height: number;
  /** All runs in the order of the file. */
  readonly runs: readonly TextRun[];
  /** Runs by the id of their marked content. */
  readonly marked: ReadonlyMap<string, readonly TextRun[]>;
  readonly structure: PdfStructNode | undefined;
  readonly links: readonly PdfAnnotation[];
}

interface FoundRun {
  readonly run: TextRun;
  readonly id: string | undefined;
  readonly artifact: boolean;
}

/** Finds what stands raised or lowered beside its neighbours: the one before, or the one that a number is put before. */
const withScripts = (found: readonly FoundRun[]): readonly FoundRun[] => {
  let base: TextRun | undefined;
  return found.map((entry, index) => {
    const { run } = entry;
    if (run.text.trim() === '') return entry;
    const next = found.slice(index + 1, index + 4).find(({ run: other }) => other.text.trim() !== '')?.run;
    const script = scriptAfter(run, base) ?? (next === undefined ? undefined : scriptBefore(run, next));
    if (script === undefined) base = run;
    return script === undefined ? entry : { ...entry, run: { ...run, script, fixed: false } };
  });
};

export const readPageText = async (page: PdfPage): Promise<PdfPageText> => {
  const annotations = await page.getAnnotations();
  const links = annotations.filter(({ subtype, url }) => subtype === 'Link' && url !== undefined);
  const { items, styles } = await page.getTextContent({ includeMarkedContent: true });
  const found: FoundRun[] = [];
  const open: { readonly id: string | undefined; readonly artifact: boolean }[] = [];
  for (const item of items) {
    if ('str' in item) {
      if (item.str === '') continue;
      const fixed = styles[item.fontName]?.fontFamily === 'monospace';
      const id = open.findLast((mark) => mark.id !== undefined)?.id;
      const artifact = open.some((mark) => mark.artifact);
      found.push(...textRuns(item, links, fixed).map((run) => ({ run, id, artifact })));
    } else if (item.type === 'endMarkedContent') {
      open.pop();
    } else {
      open.push({ id: item.id ?? undefined, artifact: item.tag === 'Artifact' });
    }
  }
  const marked = new Map<string, TextRun[]>();
  const runs: TextRun[] = [];
  for (const { run, id, artifact } of withScripts(found)) {
    // Page numbers, rules and the like say so themselves in a tagged file.
    if (!artifact) runs.push(run);
    if (id !== undefined) marked.set(id, [...(marked.get(id) ?? []), run]);
  }
  const [left, bottom, right, top] = page.view;
  const structure = (await page.getStructTree()) ?? undefined;
  return { width: right - left, height: top - bottom, runs, marked, structure, links };
};

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
const textRuns = (
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
