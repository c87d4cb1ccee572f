import { nestedList, type FlatItem } from '../nested-list.js';
import { heading, paragraph, type Block } from '../tree.js';
import { findTable } from './find-table.js';
import type { FontSizes } from './font-sizes.js';
import { labelOf, stripLabel } from './list-label.js';
import { lineText, type TextLine } from './text-line.js';
import { phrasingOf, trimPhrasing } from './text-run.js';

const LINE_GAP = 1.6;
const LONGEST_HEADING = 200;

const leftOf = ({ segments }: TextLine): number => segments[0]?.left ?? 0;

const follows = (line: TextLine, before: TextLine): boolean =>
  before.y > line.y &&
  before.y - line.y <= Math.max(before.size, line.size) * LINE_GAP &&
  Math.abs(before.size - line.size) < 0.6;

/** How many lines belong to the one at the top: a paragraph, a heading, or an item of a list. */
const extent = (lines: readonly TextLine[], goesOn: (line: TextLine, before: TextLine) => boolean): number => {
  const end = lines.findIndex((line, index) => {
    const before = lines[index - 1];
    return before !== undefined && !(follows(line, before) && goesOn(line, before));
  });
  return end === -1 ? lines.length : end;
};

const words = (lines: readonly TextLine[]) =>
  trimPhrasing(phrasingOf(lines.flatMap(({ segments }) => segments.flatMap(({ runs }) => runs))));

interface Taken {
  readonly block: Block;
  readonly lines: number;
}

const takeList = (lines: readonly TextLine[]): Taken => {
  const items: { readonly left: number; readonly item: Omit<FlatItem, 'level'> }[] = [];
  let used = 0;
  while (used < lines.length) {
    const [first] = lines.slice(used);
    const label = first === undefined ? undefined : labelOf(lineText(first));
    if (first === undefined || label === undefined) break;
    const [top] = items;
    // Bullets after numbers, at the same edge, are another list.
    if (top !== undefined && Math.abs(top.left - leftOf(first)) < 3 && top.item.ordered !== (label === 'number')) break;
    const count = extent(
      lines.slice(used),
      (line) => leftOf(line) > leftOf(first) + 1 && labelOf(lineText(line)) === undefined,
    );
    const item = { ordered: label === 'number', children: stripLabel(words(lines.slice(used, used + count))) };
    items.push({ left: leftOf(first), item });
    used += count;
  }
  const edges = [...new Set(items.map(({ left }) => Math.round(left / 6)))].sort((a, b) => a - b);
  const flat = items.map(({ left, item }) => ({ ...item, level: edges.indexOf(Math.round(left / 6)) }));
  return { block: nestedList(flat), lines: used };
};

const rightOf = ({ segments }: TextLine): number => segments.at(-1)?.right ?? 0;

const SHORT_LINE = 0.8;

/** A line that ends a sentence well before the edge ends the paragraph, even where no space follows it. */
const paragraphEnd = (lines: readonly TextLine[]): number => {
  const left = Math.min(...lines.map(leftOf));
  const right = Math.max(...lines.map(rightOf));
  const end = lines.findIndex(
    (line) => rightOf(line) - left < (right - left) * SHORT_LINE && /[.!?:]["”’)]?$/u.test(lineText(line)),
  );
  return end === -1 ? lines.length : end + 1;
};

const isPlain = ({ segments }: TextLine): boolean => segments.length === 1;

const take = (lines: readonly TextLine[], sizes: FontSizes): Taken => {
  const [first] = lines;
  if (first === undefined) return { block: paragraph(), lines: 0 };
  const found = findTable(lines);
  if (found !== undefined) return found;
  const depth = sizes.headingDepth(first.size);
  if (depth !== undefined && lineText(first).length <= LONGEST_HEADING) {
    const count = extent(lines, isPlain);
    return { block: heading(depth, ...words(lines.slice(0, count))), lines: count };
  }
  if (labelOf(lineText(first)) !== undefined) return takeList(lines);
  const most = extent(lines, (line) => isPlain(line) && labelOf(lineText(line)) === undefined);
  const count = paragraphEnd(lines.slice(0, most));
  return { block: paragraph(...words(lines.slice(0, count))), lines: count };
};

/** The blocks of a page that only looks like something: headings are large, items have bullets, tables have columns. */
export const looksBlocks = (lines: readonly TextLine[], sizes: FontSizes): readonly Block[] => {
  const blocks: Block[] = [];
  for (let rest = lines; rest.length > 0;) {
    const taken = take(rest, sizes);
    blocks.push(taken.block);
    rest = rest.slice(Math.max(1, taken.lines));
  }
  return blocks;
};
