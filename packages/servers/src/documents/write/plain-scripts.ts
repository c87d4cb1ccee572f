const RAISED = new Map(
  Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ', (raised, index) => [Array.from('0123456789+-=()ni')[index], raised]),
);
const LOWERED = new Map(
  Array.from('₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎', (lowered, index) => [Array.from('0123456789+-=()')[index], lowered]),
);

const written = (text: string, letters: ReadonlyMap<string | undefined, string>, mark: string): string => {
  const characters = Array.from(text, (character) => letters.get(character));
  if (characters.every((character) => character !== undefined)) return characters.join('');
  return text.length === 1 ? mark + text : `${mark}(${text})`;
};

/** What stands raised, in plain text: with the letters that are made for it, else marked. */
export const raised = (text: string): string => written(text, RAISED, '^');

export const lowered = (text: string): string => written(text, LOWERED, '_');
