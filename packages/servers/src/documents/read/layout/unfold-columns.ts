import { lineOf, type Segment, type TextLine } from './text-line.js';

const MIN_LINES = 4;
const MIN_CHARACTERS = 20;
const CANDIDATES = 41;

const crosses = ({ left, right }: Segment, x: number): boolean => left < x && right > x;

/** The emptiest upright line near the middle of the text. */
const gutterOf = (lines: readonly TextLine[]): number => {
  const segments = lines.flatMap((line) => line.segments);
  const left = Math.min(...segments.map((part) => part.left));
  const right = Math.max(...segments.map((part) => part.right));
  const places = Array.from({ length: CANDIDATES }, (_, index) => {
    const x = left + (right - left) * (0.35 + (0.3 * index) / (CANDIDATES - 1));
    return { x, crossed: segments.filter((part) => crosses(part, x)).length, off: Math.abs(index - CANDIDATES / 2) };
  });
  return places.toSorted((a, b) => a.crossed - b.crossed || a.off - b.off)[0]?.x ?? 0;
};

const isProse = (segments: readonly Segment[]): boolean =>
  segments.length >= MIN_LINES &&
  segments.reduce((sum, { text }) => sum + text.length, 0) / segments.length >= MIN_CHARACTERS;

const unfoldBand = (band: readonly TextLine[], gutter: number): readonly TextLine[] => {
  const segments = band.flatMap((line) => line.segments);
  const sides = [segments.filter(({ right }) => right <= gutter), segments.filter(({ left }) => left >= gutter)];
  if (!sides.every(isProse)) return band;
  return sides.flatMap((_, side) =>
    band
      .map((line) => line.segments.filter(({ left }) => left >= gutter === (side === 1)))
      .filter((parts) => parts.length > 0)
      .map(lineOf),
  );
};

/** Pages set in two columns are read down the left one, then down the right one; tables are left as they are. */
export const unfoldColumns = (lines: readonly TextLine[]): readonly TextLine[] => {
  if (lines.length < MIN_LINES) return lines;
  const gutter = gutterOf(lines);
  const result: TextLine[] = [];
  let band: TextLine[] = [];
  const flush = (): void => {
    result.push(...unfoldBand(band, gutter));
    band = [];
  };
  for (const line of lines) {
    if (line.segments.some((part) => crosses(part, gutter))) {
      flush();
      result.push(line);
    } else {
      band.push(line);
    }
  }
  flush();
  return result;
};
