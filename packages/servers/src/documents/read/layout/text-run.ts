import type { PhrasingContent } from 'mdast';
import { subscript, superscript } from '../../tree/extra-nodes.js';
import { link, text } from '../../tree/tree.js';

/** A piece of text as it stands on the page; y grows upwards. */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly url?: string | undefined;
  readonly font?: string | undefined;
  /** Set in type whose letters are equally wide, as code is. */
  readonly fixed?: boolean | undefined;
  readonly script?: 'raised' | 'lowered' | undefined;
}

const SMALLER = 0.85;

const scriptBeside = (run: TextRun, base: TextRun, gap: number): TextRun['script'] => {
  const lift = (run.y - base.y) / base.size;
  if (run.size > base.size * SMALLER || Math.abs(lift) < 0.08 || Math.abs(lift) > 0.7) return undefined;
  if (gap < -base.size || gap > base.size * 0.5) return undefined;
  return lift > 0 ? 'raised' : 'lowered';
};

/** Whether a run stands raised or lowered behind another: smaller, close, and off its line. */
export const scriptAfter = (run: TextRun, base: TextRun | undefined): TextRun['script'] =>
  base === undefined ? undefined : scriptBeside(run, base, run.x - (base.x + base.width));

/** Whether a run is the raised number before a note. */
export const scriptBefore = (run: TextRun, base: TextRun): TextRun['script'] =>
  /^\s*\d{1,3}\s*$/u.test(run.text) ? scriptBeside(run, base, base.x - (run.x + run.width)) : undefined;

/** Whether two runs stand on one line; what is raised or lowered is a little off it. */
export const isSameLine = (a: TextRun, b: TextRun): boolean =>
  Math.abs(a.y - b.y) < Math.max(a.size, b.size) * (a.script === undefined && b.script === undefined ? 0.3 : 0.7);

const needsSpace = (before: TextRun | undefined, run: TextRun): boolean => {
  if (before === undefined || /\s$/u.test(before.text) || /^\s/u.test(run.text)) return false;
  if (!isSameLine(before, run)) return true;
  return run.x - (before.x + before.width) > Math.max(before.size, run.size) * (run.script === undefined ? 0.15 : 0.25);
};

// A word that was cut at the end of a line goes on with a small letter.
const continuesWord = (before: TextRun | undefined, run: TextRun): boolean =>
  before !== undefined && /\p{L}[-\u00AD]$/u.test(before.text) && /^\p{Ll}/u.test(run.text) && !isSameLine(before, run);

/** Runs of one line as text, with the spaces that only their distance shows. */
export const spell = (runs: readonly TextRun[]): string =>
  runs.map((run, index) => (needsSpace(runs[index - 1], run) ? ` ${run.text}` : run.text)).join('');

interface Piece extends Pick<TextRun, 'url' | 'fixed' | 'script'> {
  text: string;
}

const sameKind = (a: Piece, b: Pick<TextRun, 'url' | 'fixed' | 'script'>): boolean =>
  a.url === b.url && a.script === b.script && (a.fixed ?? false) === (b.fixed ?? false);

// Bullets and other ornaments come from fonts of all kinds.
const HAS_LETTER = /[\p{L}\p{N}]/u;

const wordsOf = (words: string, { script, fixed }: Piece): PhrasingContent => {
  if (script === 'raised') return superscript([text(words)]);
  if (script === 'lowered') return subscript([text(words)]);
  return fixed === true && HAS_LETTER.test(words) ? { type: 'inlineCode', value: words } : text(words);
};

/** Runs as the words they spell: lines joined, spaces put in, links around what they cover. */
export const phrasingOf = (runs: readonly TextRun[]): readonly PhrasingContent[] => {
  const pieces: Piece[] = [];
  let before: TextRun | undefined;
  for (const run of runs) {
    const last = pieces.at(-1);
    if (last !== undefined && continuesWord(before, run)) last.text = last.text.slice(0, -1);
    else if (last !== undefined && needsSpace(before, run)) last.text += ' ';
    if (last !== undefined && (sameKind(last, run) || run.text.trim() === '')) last.text += run.text;
    else pieces.push({ text: run.text, url: run.url, fixed: run.fixed, script: run.script });
    before = run;
  }
  return pieces.map((piece) => ({ ...piece, text: piece.text.replaceAll(/\s+/gu, ' ') })).flatMap(phrase);
};

/** Spaces at the edge of a link, of code, or of what is raised stand outside of it. */
const phrase = (piece: Piece): readonly PhrasingContent[] => {
  const { text: words, url, fixed, script } = piece;
  const trimmed = words.trim();
  if (trimmed === '' || (url === undefined && script === undefined && !(fixed === true && HAS_LETTER.test(words)))) {
    return [text(words)];
  }
  const [head = '', tail = ''] = words.split(trimmed);
  const content = wordsOf(trimmed, piece);
  const nodes = [text(head), url === undefined ? content : link(url, [content]), text(tail)];
  return nodes.filter((node) => node.type !== 'text' || node.value !== '');
};
