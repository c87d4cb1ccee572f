import { lineText, type TextLine } from '../layout/text-line.js';

const EDGE = 0.09;
const NEAR_EDGE = 0.15;
const FEWEST_PAGES = 3;

export interface PageLines {
  readonly height: number;
  readonly lines: readonly TextLine[];
}

const key = (line: TextLine): string => `${Math.round(line.y)}:${lineText(line).replaceAll(/\d+/gu, '#')}`;

const atEdge = ({ y }: TextLine, height: number): boolean => y < height * EDGE || y > height * (1 - EDGE);

/** Whether a line consists only of its page number. */
const isPageNumber = (line: TextLine, number: number, count: number): boolean => {
  const words = lineText(line).toLowerCase().replaceAll(/\s+/gu, ' ');
  return [
    `${number}`,
    `- ${number} -`,
    `– ${number} –`,
    `page ${number}`,
    `${number} / ${count}`,
    `page ${number} of ${count}`,
  ].includes(words);
};

/** Leaves out what stands at the edge of most pages: heads, feet, page numbers. */
export const withoutRunningHeads = (numbered: readonly PageLines[]): readonly PageLines[] => {
  const pages = numbered.map(({ height, lines }, index) => ({
    height,
    lines: lines.filter((line) => {
      const outermost = line === lines[0] || line === lines.at(-1);
      const near = line.y < height * NEAR_EDGE || line.y > height * (1 - NEAR_EDGE);
      return !(outermost && near && isPageNumber(line, index + 1, numbered.length));
    }),
  }));
  if (pages.length < FEWEST_PAGES) return pages;
  const counts = new Map<string, number>();
  for (const { height, lines } of pages) {
    for (const line of new Set(lines.filter((candidate) => atEdge(candidate, height)).map(key))) {
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  }
  return pages.map(({ height, lines }) => ({
    height,
    lines: lines.filter((line) => !atEdge(line, height) || (counts.get(key(line)) ?? 0) * 2 <= pages.length),
  }));
};
