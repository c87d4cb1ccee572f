import { RE2JS } from 're2js';

/** What a validator needs of a regular expression. */
export interface SafePattern {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

const BACK_REFERENCE = /\\k<|(?<!\\)(?:\\\\)*\\[1-9]/u;

const isExpression = (pattern: string): boolean => {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      // the other mode may accept it
    }
  }
  return false;
};

/**
 * The expression compiled for matching in linear time, so that no pattern can stall the process. Undefined when that
 * is impossible (look-ahead, back-references) or when it is no expression at all.
 */
export const safePattern = (pattern: string): SafePattern | undefined => {
  if (BACK_REFERENCE.test(pattern) || !isExpression(pattern)) return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text) => compiled.test(text), toString: () => `/${pattern}/` };
  } catch {
    return undefined;
  }
};
