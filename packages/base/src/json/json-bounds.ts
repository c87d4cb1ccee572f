export interface JsonBounds {
  readonly depth: number;
  /** How many values there may be: parsing takes far more time and memory for values than for long strings. */
  readonly values?: number | undefined;
  /** Texts this short are not looked at. */
  readonly uncheckedChars?: number | undefined;
}

/** The position of the quote that ends the string which begins at `start`; -1 when nothing ends it. */
const stringEnd = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
};

/** Which bound a JSON text exceeds, found without building anything; long strings cost next to nothing. */
export const exceededJsonBound = (
  text: string,
  { depth: maxDepth, values: maxValues = Number.POSITIVE_INFINITY, uncheckedChars = 0 }: JsonBounds,
): 'depth' | 'values' | undefined => {
  if (text.length <= uncheckedChars) return undefined;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string: its end is the next quote that no backslash stands before
        at = stringEnd(text, at);
        if (at === -1) return undefined;
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        values += 1;
        if (depth > maxDepth) return 'depth';
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
        values += 1;
        break;
      default:
    }
    if (values > maxValues) return 'values';
  }
  return undefined;
};
