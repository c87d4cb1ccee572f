import { trimPhrasing, heading, paragraph, type Block } from '../../tree/tree.js';
import { codeBlock, isCodeLine } from './code-lines.js';
import { findTable } from './find-table.js';
import { listsFromPlaces, type PlacedItem } from './flat-list.js';
import type { FontSizes } from './font-sizes.js';
import { isLoneLabel, labelNumber, labelOf, stripLabel } from './list-label.js';
import { raiseNumber } from './raise-number.js';
import { PageMargins } from './page-margins.js';
import { splitWords } from './split-words.js';
import { leftOf, lineText, type TextLine } from './text-line.js';
import { phrasingOf } from './text-run.js';

const LINE_GAP = 1.6;
const WIDE_LINE_GAP = 1.85;
const CODE_GAP = 4;
const LONGEST_HEADING = 200;
const LONGEST_QUIET_HEADING = 80;

// A raised number pushes its line down.
const gapOf = (line: TextLine): number => (/^\p{Ll}/u.test(lineText(line)) ? WIDE_LINE_GAP : LINE_GAP);

const follows = (line: TextLine, before: TextLine): boolean =>
  before.y > line.y &&
  before.y - line.y <= Math.max(before.size, line.size) * gapOf(line) &&
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
  readonly blocks: readonly Block[];
  readonly lines: number;
}

/** Where the words of an item begin, behind its label. */
const textStart = (line: TextLine): number => {
  const pieces = line.segments.flatMap(({ runs }) => runs.flatMap(splitWords)).filter(({ text }) => text.trim() !== '');
  const first = pieces[0];
  return first !== undefined && isLoneLabel(first.text) ? (pieces[1]?.x ?? first.x) : leftOf(line);
};

const bareItem = (line: TextLine): PlacedItem => ({ left: leftOf(line), ordered: false, children: words([line]) });

const takeList = (lines: readonly TextLine[], margins: PageMargins): Taken => {
  const items: PlacedItem[] = [];
  let used = 0;
  while (used < lines.length) {
    const [first] = lines.slice(used);
    const label = first === undefined ? undefined : labelOf(lineText(first));
    const before = lines[used - 1];
    if (first === undefined || (before !== undefined && before.y <= first.y)) break;
    if (label === undefined) {
      const bare = before !== undefined && follows(first, before) ? margins.bareItems(lines.slice(used)) : [];
      if (bare.length === 0) break;
      items.push(...bare.map(bareItem));
      used += bare.length;
      continue;
    }
    const count = extent(
      lines.slice(used),
      (line, above) =>
        leftOf(line) > leftOf(first) + 1 &&
        labelOf(lineText(line)) === undefined &&
        !isCodeLine(line) &&
        !margins.endsBefore(above, line),
    );
    items.push({
      left: textStart(first),
      ordered: label === 'number',
      start: labelNumber(lineText(first)),
      children: stripLabel(words(lines.slice(used, used + count))),
    });
    used += count;
  }
  return { blocks: listsFromPlaces(items), lines: used };
};

const isPlain = ({ segments }: TextLine): boolean => segments.length === 1;

/** How many lines from the first on are a listing. */
const codeExtent = (lines: readonly TextLine[]): number => {
  const end = lines.findIndex((line, index) => {
    const before = lines[index - 1];
    if (!isCodeLine(line)) return true;
    return before !== undefined && (before.y <= line.y || before.y - line.y > line.size * CODE_GAP);
  });
  return end === -1 ? lines.length : end;
};

/** A short line in another font than the text, with space around it, is a heading that is no larger than the text. */
const isQuietHeading = (lines: readonly TextLine[], above: TextLine | undefined, sizes: FontSizes): boolean => {
  const [first, next] = lines;
  if (first === undefined || next === undefined || !isPlain(first)) return false;
  const runs = first.segments.flatMap((part) => part.runs).filter(({ text }) => text.trim() !== '');
  const line = lineText(first);
  return (
    runs.every((run) => sizes.standsOut(run)) &&
    line.length <= LONGEST_QUIET_HEADING &&
    /^[\p{Lu}\d]/u.test(line) &&
    !/[.,:;!?]$/u.test(line) &&
    !(next.segments[0]?.runs[0] !== undefined && sizes.standsOut(next.segments[0].runs[0])) &&
    (above === undefined || above.y <= first.y || above.y - first.y > first.size * LINE_GAP)
  );
};

const take = (lines: readonly TextLine[], above: TextLine | undefined, { sizes, margins }: PageLook): Taken => {
  const [first] = lines;
  if (first === undefined) return { blocks: [], lines: 0 };
  const code = codeExtent(lines);
  if (code > 0) return { blocks: [codeBlock(lines.slice(0, code))], lines: code };
  const found = findTable(lines);
  if (found !== undefined) return { blocks: [found.block], lines: found.lines };
  const depth = sizes.headingDepth(first.size);
  if (depth !== undefined && lineText(first).length <= LONGEST_HEADING) {
    const count = extent(lines, (line) => isPlain(line) && labelOf(lineText(line)) === undefined);
    return { blocks: [heading(depth, ...words(lines.slice(0, count)))], lines: count };
  }
  if (labelOf(lineText(first)) !== undefined) return takeList(lines, margins);
  if (isQuietHeading(lines, above, sizes)) return { blocks: [heading(sizes.deepest, ...words([first]))], lines: 1 };
  const bare = margins.bareItems(lines);
  if (bare.length > 1) {
    return {
      blocks: listsFromPlaces(bare.map(bareItem)),
      lines: bare.length,
    };
  }
  const most = extent(
    lines,
    (line, before) =>
      isPlain(line) && labelOf(lineText(line)) === undefined && !isCodeLine(line) && !margins.endsBefore(before, line),
  );
  const content = words(lines.slice(0, most));
  return { blocks: [paragraph(...(sizes.isSmallPrint(first.size) ? raiseNumber(content) : content))], lines: most };
};

interface PageLook {
  readonly sizes: FontSizes;
  readonly margins: PageMargins;
}

/** The blocks of a page that only looks like something: headings are large, items have bullets, tables have columns. */
export const looksBlocks = (lines: readonly TextLine[], sizes: FontSizes, width = 0): readonly Block[] => {
  const blocks: Block[] = [];
  const look: PageLook = { sizes, margins: new PageMargins(lines, width) };
  for (let done = 0; done < lines.length;) {
    const taken = take(lines.slice(done), lines[done - 1], look);
    blocks.push(...taken.blocks);
    done += Math.max(1, taken.lines);
  }
  return blocks;
};
