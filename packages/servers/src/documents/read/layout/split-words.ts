import type { TextRun } from './text-run.js';

const weight = (character: string): number => {
  if (/[ijl.,:;'|!()[\]ftrI]/u.test(character)) return 0.55;
  if (/[mwMW]/u.test(character)) return 1.5;
  return /\p{Lu}/u.test(character) ? 1.2 : 1;
};

const weigh = (words: string): number => Array.from(words, weight).reduce((sum, part) => sum + part, 0);

/** pdf.js joins runs that stand close; where the words of one stand is estimated from the usual widths of letters. */
export const splitWords = (run: TextRun): readonly TextRun[] => {
  const words = run.text.match(/\s*\S+\s*?(?=\s|$)|\s+$/gu) ?? [];
  if (words.length < 2) return [run];
  const unit = run.width / (weigh(run.text) || 1);
  let x = run.x;
  return words.map((word) => {
    const lead = weigh(word.slice(0, word.length - word.trimStart().length)) * unit;
    const width = weigh(word) * unit;
    const piece = { ...run, text: word, x: x + lead, width: width - lead };
    x += width;
    return piece;
  });
};
