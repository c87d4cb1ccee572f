const WORD = /"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|(?<plain>\S+)/gu;

/** The words of a command line: quotes keep together, and nothing is expanded. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(WORD)].map(({ groups = {} }) =>
    groups['double'] === undefined
      ? (groups['single'] ?? groups['plain'] ?? '')
      : groups['double'].replaceAll(/\\(.)/gu, '$1'),
  );
