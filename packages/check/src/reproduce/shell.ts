const PLAIN = /^[\w@%+=:,./-]+$/u;

/** A word that any POSIX shell takes as it is. */
export const quote = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The name of a variable that stands for the value of a header, so that no secret is printed. */
export const variableFor = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]+/gu, '_');
