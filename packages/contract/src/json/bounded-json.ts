import { exceededJsonBound } from '@plugboard/base';
import { PlugboardError } from '../error/plugboard-error.js';

export const MAX_JSON_DEPTH = 64;
/** For bodies of REST requests. The most values that fit into a body would take the event loop for a second. */
export const MAX_REST_VALUES = 100_000;

interface BoundedJsonOptions {
  readonly maxDepth?: number | undefined;
  /** How many values there may be: objects, arrays, and what is in them. */
  readonly maxValues?: number | undefined;
  readonly reviver?: ((name: string, value: unknown) => unknown) | undefined;
}

const tooDeep = (maxDepth: number): PlugboardError =>
  new PlugboardError('INVALID_JSON', `The JSON is nested more than ${maxDepth} levels deep.`, {
    hint: 'Send a flatter document.',
  });

const tooMany = (maxValues: number): PlugboardError =>
  new PlugboardError('INVALID_JSON', `The JSON has more than ${maxValues} values.`, {
    hint: 'Send fewer values, or send them as one text.',
  });

/** Throws INVALID_JSON for a text, or the beginning of one, that is nested beyond reason. */
export const checkJsonDepth = (text: string, maxDepth: number = MAX_JSON_DEPTH): void => {
  if (exceededJsonBound(text, { depth: maxDepth }) !== undefined) throw tooDeep(maxDepth);
};

/** Parses a body from outside. What is no JSON, or beyond the bounds, is INVALID_JSON before it is built. */
export const parseBoundedJson = (
  text: string,
  { maxDepth = MAX_JSON_DEPTH, maxValues, reviver }: BoundedJsonOptions = {},
): unknown => {
  const exceeded = exceededJsonBound(text, { depth: maxDepth, values: maxValues });
  if (exceeded !== undefined) throw exceeded === 'depth' ? tooDeep(maxDepth) : tooMany(maxValues ?? 0);
  try {
    return JSON.parse(text, reviver) as unknown;
  } catch (cause) {
    throw new PlugboardError('INVALID_JSON', 'The body is not valid JSON.', {
      hint: 'Send one JSON document, encoded as UTF-8.',
      cause,
    });
  }
};
