import { imitatingWords } from './confusables.js';
import { excerpt, perText, type LintRule } from './lint-rule.js';

export const homoglyphs: LintRule = {
  id: 'SEC-14',
  name: 'homoglyphs',
  level: 'error',
  sentence: 'A word mixes Latin letters with letters of another script that look the same.',
  fix: 'Write the word in one script.',
  inspect: perText(({ text }) => {
    const [word] = imitatingWords(text);
    return word === undefined ? undefined : `"${excerpt(word, 40)}"`;
  }),
};
