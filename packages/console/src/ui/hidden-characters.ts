// Control, bidirectional and other characters without a look of their own; halves of a character.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const HIDDEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Would a terminal do something else with a name than show it? */
export const hidesInName = (text: string): boolean => text.search(HIDDEN) !== -1;

/** The same for text of several lines. */
export const hidesInLines = (text: string): boolean => HIDDEN_IN_LINES.test(text);

/** JSON in which every hidden character is escaped. */
export const plainJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replaceAll(HIDDEN, (found) =>
    found === '\n' ? found : [...Array(found.length).keys()].map((at) => escaped(found.charCodeAt(at))).join(''),
  );

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
