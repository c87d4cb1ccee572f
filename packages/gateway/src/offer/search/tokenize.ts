const PARTS = /[\p{Lu}]+(?![\p{Ll}])|[\p{Lu}]?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}]/gu;

const SUFFIXES: readonly (readonly [end: string, put: string, keep: number])[] = [
  ['ies', 'y', 2],
  ['sses', 'ss', 2],
  ['ing', '', 3],
  ['edly', '', 3],
  ['ed', '', 3],
  ['es', '', 3],
  ['s', '', 3],
];

/** Cuts the commonest English endings, so that "lists", "listed" and "listing" meet. */
export const stem = (word: string): string => {
  for (const [end, put, keep] of SUFFIXES) {
    if (!word.endsWith(end) || word.length - end.length < keep || word.endsWith('ss')) continue;
    const cut = word.slice(0, -end.length) + put;
    // "running", "stopped", but not "calling" or "passed"
    return /ing|ed/u.test(end) && /([^lsz])\1$/u.test(cut) ? cut.slice(0, -1) : cut.replace(/e$/u, '');
  }
  return word.length > 4 ? word.replace(/e$/u, '') : word;
};

/** Words that say nothing about what a tool does. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by for from if in into is it its of on or that the this to will with'.split(' '),
);

/** Servers and agents decide how long their texts are. */
const MAX_CHARS = 2000;

/** Cut before and after: one character may become eighteen. */
const normalized = (text: string): string => text.slice(0, MAX_CHARS).normalize('NFKC').slice(0, MAX_CHARS);

/** The words at the beginning of a name or a text: camelCase, snake_case and punctuation separate them. */
export const wordsOf = (text: string): readonly string[] =>
  [...normalized(text).matchAll(PARTS)]
    .map(([part]) => part.toLowerCase())
    .filter((word) => !EMPTY_WORDS.has(word))
    .map(stem);
