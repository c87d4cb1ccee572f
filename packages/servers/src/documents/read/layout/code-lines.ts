import type { Code } from 'mdast';
import type { TextLine } from './text-line.js';
import type { TextRun } from './text-run.js';

const runsOf = ({ segments }: TextLine): readonly TextRun[] =>
  segments.flatMap(({ runs }) => runs).filter(({ text }) => text.trim() !== '');

/** Whether a line is set in type of equal width throughout. */
export const isCodeLine = (line: TextLine): boolean => {
  const runs = runsOf(line);
  return runs.length > 0 && runs.every(({ fixed }) => fixed === true);
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Lines as they stand: each run in the column where it begins, empty lines where the page has them. */
export const codeBlock = (lines: readonly TextLine[]): Code => {
  const runs = lines.flatMap(runsOf);
  const letter = median(runs.map(({ width, text }) => width / text.length)) || 1;
  const left = Math.min(...runs.map(({ x }) => x));
  const pitch = Math.min(
    ...lines.slice(1).flatMap((line, index) => {
      const step = (lines[index]?.y ?? 0) - line.y;
      return step > line.size * 0.8 ? [step] : [];
    }),
  );
  const written = lines.flatMap((line, index) => {
    const step = (lines[index - 1]?.y ?? line.y) - line.y;
    const empty = index === 0 || !Number.isFinite(pitch) ? 0 : Math.min(Math.round(step / pitch) - 1, 3);
    return [...Array.from({ length: Math.max(0, empty) }, () => ''), textOf(line, left, letter)];
  });
  return { type: 'code', value: written.join('\n') };
};

const textOf = (line: TextLine, left: number, letter: number): string => {
  let written = '';
  for (const { text, x } of runsOf(line).toSorted((a, b) => a.x - b.x)) {
    const column = Math.round((x - left) / letter);
    written += ' '.repeat(Math.max(0, column - written.length)) + text;
  }
  return written.trimEnd();
};
