// No tilde: a shell expands it at the start of a word.
const SAFE = /^[\w@%+=:,./…-]+$/u;

/** A command line as somebody could type it. */
export const shellQuote = (words: readonly string[]): string =>
  words.map((word) => (SAFE.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
