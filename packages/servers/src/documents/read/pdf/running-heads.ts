import { lineText, type TextLine } from './text-line.js';

const EDGE = 0.09;
const FEWEST_PAGES = 3;

export interface PageLines {
  readonly height: number;
  readonly lines: readonly TextLine[];
}

const key = (line: TextLine): string => `${Math.round(line.y)}:${lineText(line).replaceAll(/\d+/gu, '#')}`;

const atEdge = ({ y }: TextLine, height: number): boolean => y < height * EDGE || y > height * (1 - EDGE);

/** Leaves out what stands at the edge of most pages: heads, feet, page numbers. */
export const withoutRunningHeads = (pages: readonly PageLines[]): readonly PageLines[] => {
  if (pages.length < FEWEST_PAGES) return pages;
  const counts = new Map<string, number>();
  for (const { height, lines } of pages) {
    for (const line of new Set(lines.filter((candidate) => atEdge(candidate, height)).map(key)))
      counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return pages.map(({ height, lines }) => ({
    height,
    lines: lines.filter((line) => !atEdge(line, height) || (counts.get(key(line)) ?? 0) * 2 <= pages.length),
  }));
};
