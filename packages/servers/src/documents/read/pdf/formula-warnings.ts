import type { PdfPageText } from './pdf-page-text.js';

/** Letters and operators that stand in formulas and hardly anywhere else. */
const FORMULA = /[\u{1D400}-\u{1D7FF}√∑∏∫∮∂∇]/u;

/** A PDF places the characters of a formula one by one; what is above, below or under a root is not said. */
export const formulaWarnings = (pages: readonly Pick<PdfPageText, 'runs'>[]): readonly string[] => {
  const numbers = pages.flatMap(({ runs }, index) => (runs.some(({ text }) => FORMULA.test(text)) ? [index + 1] : []));
  if (numbers.length === 0) return [];
  const where = `${numbers.length === 1 ? 'page' : 'pages'} ${numbers.join(', ')}`;
  return [`Formulas on ${where} are given as a sequence of characters: fractions, roots and indices are lost.`];
};
