/** Texts this short cannot hold enough to matter. */
const SMALL_CHARS = 2048;

/** How much structure one message may have: parsing takes far more time and memory for values than for long strings. */
export const JSON_BOUNDS = { depth: 512, values: 1_000_000, messages: 1000 } as const;

/** Why a JSON text is not worth parsing, found without building anything; undefined when it is. */
export const beyondBounds = (
  text: string,
  { depth: maxDepth, values: maxValues }: { readonly depth: number; readonly values: number } = JSON_BOUNDS,
): string | undefined => {
  if (text.length <= SMALL_CHARS) return undefined;
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
        if (depth > maxDepth) return `the message is nested more than ${maxDepth} levels deep`;
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
    if (values > maxValues) return `the message has more than ${maxValues} values`;
  }
  return undefined;
};

const stringEnd = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
};
