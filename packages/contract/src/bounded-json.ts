import { PlugboardError } from './plugboard-error.js';

export const MAX_JSON_DEPTH = 64;

/** The position of the quote that ends the string which begins at `start`; -1 when nothing ends it. */
const stringEnd = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
};

/** Is a JSON text nested more deeply than that? Found without building anything; long strings cost next to nothing. */
const isDeeper = (text: string, maxDepth: number): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x22) {
      at = stringEnd(text, at);
      if (at === -1) return false;
    } else if (character === 0x7b || character === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === 0x7d || character === 0x5d) {
      depth -= 1;
    }
  }
  return false;
};

/** Parses a body from outside. What is no JSON, or nested beyond reason, is INVALID_JSON before it is built. */
export const parseBoundedJson = (text: string, maxDepth: number = MAX_JSON_DEPTH): unknown => {
  if (isDeeper(text, maxDepth)) {
    throw new PlugboardError('INVALID_JSON', `The JSON is nested more than ${maxDepth} levels deep.`, {
      hint: 'Send a flatter document.',
    });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new PlugboardError('INVALID_JSON', 'The body is not valid JSON.', {
      hint: 'Send one JSON document, encoded as UTF-8.',
      cause,
    });
  }
};
