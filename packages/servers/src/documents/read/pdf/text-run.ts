import type { PhrasingContent } from 'mdast';
import { safeLink } from '../settle-references.js';
import { link, text } from '../tree.js';
import type { PdfAnnotation, PdfTextItem } from './pdf-js.js';
import { splitWords } from './split-words.js';

/** A piece of text as it stands on the page; y grows upwards. */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly url?: string | undefined;
}

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
  { str, width, transform }: PdfTextItem,
  links: readonly PdfAnnotation[],
): readonly TextRun[] => {
  const [, , c, d, x, y] = transform;
  const run: TextRun = { text: str, x, y, width, size: Math.hypot(c, d) || 1 };
  if (links.length === 0) return [run];
  const pieces = links.some((annotation) => isCut(run, annotation)) ? splitWords(run) : [run];
  return pieces.map((piece) => ({ ...piece, url: linkAt(links, piece.x + piece.width / 2, y + run.size / 3) }));
};

const needsSpace = (before: TextRun | undefined, run: TextRun): boolean => {
  if (before === undefined || /\s$/u.test(before.text) || /^\s/u.test(run.text)) return false;
  const sameLine = Math.abs(before.y - run.y) < run.size * 0.4;
  return !sameLine || run.x - (before.x + before.width) > run.size * 0.15;
};

// A word that was cut at the end of a line goes on with a small letter.
const continuesWord = (before: TextRun | undefined, run: TextRun): boolean =>
  before !== undefined &&
  /\p{L}[-\u00AD]$/u.test(before.text) &&
  /^\p{Ll}/u.test(run.text) &&
  Math.abs(before.y - run.y) >= run.size * 0.4;

/** Runs of one line as text, with the spaces that only their distance shows. */
export const spell = (runs: readonly TextRun[]): string =>
  runs.map((run, index) => (needsSpace(runs[index - 1], run) ? ` ${run.text}` : run.text)).join('');

interface Piece {
  text: string;
  readonly url: string | undefined;
}

/** Runs as the words they spell: lines joined, spaces put in, links around what they cover. */
export const phrasingOf = (runs: readonly TextRun[]): readonly PhrasingContent[] => {
  const pieces: Piece[] = [];
  let before: TextRun | undefined;
  for (const run of runs) {
    const last = pieces.at(-1);
    if (last !== undefined && continuesWord(before, run)) last.text = last.text.slice(0, -1);
    else if (last !== undefined && needsSpace(before, run)) last.text += ' ';
    if (last !== undefined && (last.url === run.url || run.text.trim() === '')) last.text += run.text;
    else pieces.push({ text: run.text, url: run.url });
    before = run;
  }
  return pieces
    .map((piece) => ({ ...piece, text: piece.text.replaceAll(/\s+/gu, ' ') }))
    .flatMap(({ text: words, url }): PhrasingContent[] => (url === undefined ? [text(words)] : linked(words, url)));
};

/** Spaces at the edge of a link stand outside of it. */
const linked = (words: string, url: string): PhrasingContent[] => {
  const trimmed = words.trim();
  if (trimmed === '') return [text(words)];
  const [head = '', tail = ''] = words.split(trimmed);
  const nodes = [text(head), link(url, [text(trimmed)]), text(tail)];
  return nodes.filter((node) => node.type !== 'text' || node.value !== '');
};

/** Words without space at either end. */
export const trimPhrasing = (nodes: readonly PhrasingContent[]): readonly PhrasingContent[] => {
  const trimmed = nodes.map((node, index) => {
    if (node.type !== 'text') return node;
    const start = index === 0 ? node.value.trimStart() : node.value;
    return { ...node, value: index === nodes.length - 1 ? start.trimEnd() : start };
  });
  return trimmed.filter((node) => node.type !== 'text' || node.value !== '');
};
