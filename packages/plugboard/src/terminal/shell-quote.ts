// Neither a tilde nor, at the start, an equals sign: shells expand them.
const SAFE = /^(?!=)[\w@%+=:,./…-]+$/u;

/** A command line as somebody could type it. */
export const shellQuote = (words: readonly string[]): string =>
  words.map((word) => (SAFE.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

/** The same for a command of ours. A name of a server or tool that looks like an option is not one. */
export const ownCommand = (operands: readonly string[], options: readonly string[] = []): string =>
  operands.some((word) => word.startsWith('-'))
    ? shellQuote([...options, '--', ...operands])
    : shellQuote([...operands, ...options]);
