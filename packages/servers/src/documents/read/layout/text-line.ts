import { isLoneLabel } from './list-label.js';
import { spell, type TextRun } from './text-run.js';

/** Runs that stand together on a line; a gap wider than a letter ends it. */
export interface Segment {
  readonly runs: readonly TextRun[];
  readonly left: number;
  readonly right: number;
  readonly text: string;
}

export interface TextLine {
  readonly y: number;
  readonly size: number;
  readonly segments: readonly Segment[];
}

const SAME_LINE = 0.4;
const GAP = 1.2;

const segment = (runs: readonly TextRun[]): Segment => ({
  runs,
  left: Math.min(...runs.map(({ x }) => x)),
  right: Math.max(...runs.map(({ x, width }) => x + width)),
  text: spell(runs).trim(),
});

const segmentsOf = (runs: readonly TextRun[]): readonly Segment[] => {
  const groups: TextRun[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const run of runs.toSorted((a, b) => a.x - b.x)) {
    if (run.text.trim() === '') {
      groups.at(-1)?.push({ ...run, width: 0 });
      continue;
    }
    const group = groups.at(-1);
    const words = spell(group ?? []);
    // A bullet stands far from its words and still belongs to them.
    if (group !== undefined && (run.x - end <= run.size * GAP || isLoneLabel(words))) group.push(run);
    else groups.push([run]);
    end = run.x + run.width;
  }
  return groups.map(segment).filter(({ text }) => text !== '');
};

export const lineOf = (segments: readonly Segment[]): TextLine => {
  const runs = segments.flatMap((part) => part.runs).filter(({ text }) => text.trim() !== '');
  // Raised and lowered runs stand off the line that they belong to.
  const main = runs.find(({ script }) => script === undefined) ?? runs[0];
  return {
    y: main?.y ?? 0,
    size: Math.max(...runs.map(({ size }) => size)),
    segments,
  };
};

/** Runs as lines from top to bottom. */
export const linesOf = (runs: readonly TextRun[]): readonly TextLine[] => {
  const rows: { readonly y: number; readonly size: number; readonly runs: TextRun[] }[] = [];
  const onLine = runs.filter(({ script }) => script === undefined);
  for (const run of onLine.toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row !== undefined && Math.abs(row.y - run.y) < run.size * SAME_LINE) row.runs.push(run);
    else if (run.text.trim() !== '') rows.push({ y: run.y, size: run.size, runs: [run] });
  }
  for (const run of runs.filter(({ script }) => script !== undefined)) {
    const near = rows.toSorted((a, b) => Math.abs(a.y - run.y) - Math.abs(b.y - run.y))[0];
    near?.runs.push(run);
  }
  return rows
    .map((row) => segmentsOf(row.runs))
    .filter((segments) => segments.length > 0)
    .map(lineOf);
};

export const lineText = ({ segments }: TextLine): string => segments.map(({ text }) => text).join(' ');

export const leftOf = ({ segments }: TextLine): number => segments[0]?.left ?? 0;

export const rightOf = ({ segments }: TextLine): number => segments.at(-1)?.right ?? 0;
