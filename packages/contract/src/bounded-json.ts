import { PlugboardError } from './plugboard-error.js';

export const MAX_JSON_DEPTH = 64;

/** How deeply arrays and objects are nested in a JSON text, found without building anything. */
const nesting = (text: string, stopAt: number): number => {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (inString) {
      if (character === 0x5c) index += 1;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) {
      inString = true;
    } else if (character === 0x7b || character === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (deepest > stopAt) return deepest;
    } else if (character === 0x7d || character === 0x5d) {
      depth -= 1;
    }
  }
  return deepest;
};

/** Parses a body from outside. What is no JSON, or nested beyond reason, is INVALID_JSON before it is built. */
export const parseBoundedJson = (text: string, maxDepth: number = MAX_JSON_DEPTH): unknown => {
  if (nesting(text, maxDepth) > maxDepth) {
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
