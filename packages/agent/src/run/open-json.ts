/** What JSON text that ends too early leaves open. */
export interface OpenJson {
  readonly inString: boolean;
  /** Closes every object and array that is open. */
  readonly closing: string;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** Undefined: brackets do not match, so the text is not the beginning of JSON. */
export const openJson = (text: string): OpenJson | undefined => {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (inString) {
      if (character === '\\') at += 1;
      inString = character !== '"';
      continue;
    }
    const closing = CLOSING[character];
    if (closing !== undefined) open.push(closing);
    if ((character === '}' || character === ']') && open.pop() !== character) return undefined;
    inString = character === '"';
  }
  return { inString, closing: open.reverse().join('') };
};
