import type { TextRun } from '../layout/text-run.js';

interface OcrLine {
  readonly top: number;
  readonly height: number;
  readonly words: { readonly text: string; readonly left: number; readonly width: number }[];
}

// Level, left, top, width, height, confidence.
const COLUMNS = [0, 6, 7, 8, 9, 10] as const;
const LINE = 4;
const WORD = 5;
const LEAST_CONFIDENCE = 30;

/** The height of the letters of most lines: heights of single lines depend on which letters stand in them. */
const usualHeight = (lines: readonly OcrLine[]): number => {
  const heights = lines.map(({ height }) => height).sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] ?? 1;
};

const sizeOf = (height: number, usual: number): number => (height < usual * 1.45 ? usual : height);

const linesIn = (tsv: string): readonly OcrLine[] => {
  const lines: OcrLine[] = [];
  for (const row of tsv.split('\n')) {
    const cells = row.split('\t');
    const [level = 0, left = 0, top = 0, width = 0, height = 0, confidence = 0] = COLUMNS.map((index) =>
      Number(cells[index] ?? 0),
    );
    const text = (cells[11] ?? '').trim();
    if (level === LINE) {
      lines.push({ top, height, words: [] });
    } else if (level === WORD && text !== '' && confidence >= LEAST_CONFIDENCE) {
      lines.at(-1)?.words.push({ text, left, width });
    }
  }
  return lines.filter(({ words }) => words.length > 0);
};

export interface Recognised {
  readonly runs: readonly TextRun[];
  readonly height: number;
  readonly width: number;
}

/** Recognised words as runs on a page, in pixels; y grows upwards, as it does on pages of a PDF. */
export const ocrRuns = (tsv: string): Recognised => {
  const page =
    tsv
      .split('\n')
      .find((row) => row.startsWith('1\t'))
      ?.split('\t') ?? [];
  const [width, height] = [Number(page[8] ?? 0), Number(page[9] ?? 0)];
  const lines = linesIn(tsv);
  const usual = usualHeight(lines);
  const runs = lines.flatMap((line) =>
    line.words.map((word): TextRun => ({
      text: word.text,
      x: word.left,
      y: height - line.top - line.height,
      width: word.width,
      size: sizeOf(line.height, usual),
    })),
  );
  return { runs, height, width };
};
