import type { PhrasingContent } from 'mdast';
import { trimPhrasing, table, type Block } from '../../tree/tree.js';
import { splitWords } from './split-words.js';
import { lineText, type Segment, type TextLine } from './text-line.js';
import { phrasingOf, type TextRun } from './text-run.js';

interface Span {
  readonly left: number;
  readonly right: number;
}

const MIN_FILLED = 0.5;
const ROW_GAP = 3.5;

const overlaps = (a: Span, b: Span): boolean => a.left < b.right && a.right > b.left;

/** What overlaps from above is one column, however it is aligned. */
const columnsOf = (segments: readonly Span[]): readonly Span[] => {
  const columns: Span[] = [];
  for (const { left, right } of segments.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last !== undefined && left < last.right) {
      columns[columns.length - 1] = { left: last.left, right: Math.max(last.right, right) };
    } else {
      columns.push({ left, right });
    }
  }
  return columns;
};

/** Neighbours that no row fills both are one column, whose head and cells are aligned to different sides. */
const mergeAlternatives = (columns: readonly Span[], rows: readonly TextLine[]): readonly Span[] =>
  columns.reduce<readonly Span[]>((merged, column) => {
    const last = merged.at(-1);
    const fills = (row: TextLine, span: Span): boolean => row.segments.some((part) => overlaps(part, span));
    if (last === undefined || rows.some((row) => fills(row, last) && fills(row, column))) return [...merged, column];
    return [...merged.slice(0, -1), { left: last.left, right: column.right }];
  }, []);

/** Columns by the rows that have the most cells: in the others, neighbours may stand too close to be told apart. */
const columnsByFullRows = (rows: readonly TextLine[]): readonly Span[] => {
  const most = Math.max(...rows.map(({ segments }) => segments.length));
  const full = rows.filter(({ segments }) => segments.length === most);
  return mergeAlternatives(columnsOf(full.flatMap(({ segments }) => segments)), full);
};

const overlapped = (columns: readonly Span[], span: Span): readonly number[] =>
  columns.flatMap((column, index) => (overlaps(span, column) ? [index] : []));

const columnFrom = (columns: readonly Span[], { x, size }: TextRun): number =>
  Math.max(
    0,
    columns.findLastIndex(({ left }) => x >= left - size * 0.75),
  );

/** A segment that begins before its column may hold the end of the column before: then each word is placed by itself. */
const place = (segment: Segment, columns: readonly Span[], row: readonly TextRun[][]): void => {
  const [only, ...others] = overlapped(columns, segment);
  const starts = segment.left >= (columns[only ?? 0]?.left ?? 0) - (segment.runs[0]?.size ?? 0);
  const words = segment.runs.flatMap(splitWords).filter(({ text }) => text.trim() !== '');
  if (only !== undefined && others.length === 0 && (starts || words.length === 1)) row[only]?.push(...segment.runs);
  else for (const word of words) row[columnFrom(columns, word)]?.push(word);
};

const cellsOf = ({ segments }: TextLine, columns: readonly Span[]): readonly TextRun[][] => {
  const row: TextRun[][] = columns.map(() => []);
  for (const segment of segments) place(segment, columns, row);
  return row;
};

const isClose = (line: TextLine, before: TextLine): boolean =>
  before.y > line.y && before.y - line.y <= line.size * ROW_GAP && before.size < line.size * 1.5;

const isFull = (line: TextLine | undefined): boolean => line !== undefined && line.segments.length > 1;

/** How many lines from the first on look like rows; between two that do, one with a single cell may stand. */
const heightOf = (lines: readonly TextLine[]): number => {
  const end = lines.findIndex((line, index) => {
    const before = lines[index - 1];
    const next = lines[index + 1];
    if (before === undefined) return !isFull(line);
    if (!isClose(line, before)) return true;
    return !isFull(line) && !(next !== undefined && isFull(before) && isFull(next) && isClose(next, line));
  });
  return end === -1 ? lines.length : end;
};

/** Whether a line whose cells stand close together is the head of the columns below it: each cell starts at its column. */
const isHead = (line: TextLine, columns: readonly Span[]): boolean =>
  // A sentence may have words above the columns by chance.
  !/[.!?;:](?:\d{0,3})$/u.test(lineText(line)) &&
  cellsOf(line, columns).every(([first], index) => {
    const left = columns[index]?.left ?? 0;
    return first !== undefined && Math.abs(first.x - left) <= first.size;
  });

export interface FoundTable {
  readonly block: Block;
  /** How many lines it took. */
  readonly lines: number;
}

const tableOf = (rows: readonly TextLine[], columns: readonly Span[]): FoundTable => {
  const cells = rows.map((row) =>
    cellsOf(row, columns).map((runs): readonly PhrasingContent[] => trimPhrasing(phrasingOf(runs))),
  );
  return { block: table(cells), lines: rows.length };
};

/** The table that begins with the first line, if one does. */
export const findTable = (lines: readonly TextLine[]): FoundTable | undefined => {
  const [head, next] = lines;
  if (head === undefined || next === undefined) return undefined;
  const tight = head.segments.length < 2;
  const body = tight ? lines.slice(1) : lines;
  const height = heightOf(body);
  if (height < 2 || (tight && !isClose(next, head))) return undefined;
  const rows = body.slice(0, height);
  const columns = columnsByFullRows(rows);
  const filled = rows.reduce((sum, { segments }) => sum + segments.length, 0) / (columns.length * height);
  if (columns.length < 2 || filled < MIN_FILLED) return undefined;
  if (!tight) return tableOf(rows, columns);
  return isHead(head, columns) ? tableOf([head, ...rows], columns) : undefined;
};
