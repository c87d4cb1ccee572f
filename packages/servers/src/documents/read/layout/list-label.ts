import type { PhrasingContent } from 'mdast';

const BULLET = /^\s*[•◦▪▫●○■□‣⁃–—·∙➢❖✓*o\uF0B7\uF0A7-](?:\s+|$)/u;
const NUMBER = /^\s*\(?(?:\d{1,3}|[a-z])[.)](?:\s+|$)/u;

const firstText = ([first]: readonly PhrasingContent[]): string => (first?.type === 'text' ? first.value : '');

export const isNumberLabel = (content: readonly PhrasingContent[]): boolean => NUMBER.test(firstText(content));

export const labelOf = (line: string): 'bullet' | 'number' | undefined => {
  if (NUMBER.test(line)) return 'number';
  return BULLET.test(line) ? 'bullet' : undefined;
};

/** The number of a label, where it has one. */
export const labelNumber = (line: string): number | undefined => {
  const number = /^\s*\(?(\d{1,3})[.)](?:\s|$)/u.exec(line)?.[1];
  return number === undefined ? undefined : Number(number);
};

/** A label that stands alone, before the words of its item. */
export const isLoneLabel = (words: string): boolean => labelOf(words) !== undefined && !/\s\S/u.test(words.trim());

/** The words of an item without its bullet or number: Markdown writes its own. */
export const stripLabel = (content: readonly PhrasingContent[]): readonly PhrasingContent[] => {
  const [first, ...rest] = content;
  if (first?.type !== 'text') return content;
  const value = first.value.replace(BULLET, '').replace(NUMBER, '');
  return value === '' ? rest : [{ ...first, value }, ...rest];
};
