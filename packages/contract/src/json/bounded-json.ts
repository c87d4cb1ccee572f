import { exceededJsonBound } from '@plugboard/base';
import { PlugboardError } from '../error/plugboard-error.js';

export const MAX_JSON_DEPTH = 64;

/** Throws INVALID_JSON for a text, or the beginning of one, that is nested beyond reason. */
export const checkJsonDepth = (text: string, maxDepth: number = MAX_JSON_DEPTH): void => {
  if (exceededJsonBound(text, { depth: maxDepth }) === undefined) return;
  throw new PlugboardError('INVALID_JSON', `The JSON is nested more than ${maxDepth} levels deep.`, {
    hint: 'Send a flatter document.',
  });
};

/** Parses a body from outside. What is no JSON, or nested beyond reason, is INVALID_JSON before it is built. */
export const parseBoundedJson = (
  text: string,
  maxDepth: number = MAX_JSON_DEPTH,
  reviver?: (name: string, value: unknown) => unknown,
): unknown => {
  checkJsonDepth(text, maxDepth);
  try {
    return JSON.parse(text, reviver) as unknown;
  } catch (cause) {
    throw new PlugboardError('INVALID_JSON', 'The body is not valid JSON.', {
      hint: 'Send one JSON document, encoded as UTF-8.',
      cause,
    });
  }
};
