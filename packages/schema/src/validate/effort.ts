import { isJsonObject } from '@plugboard/base';

/** Thrown when checking a value takes more steps than it deserves. */
export class TooMuchEffort extends Error {
  override readonly name = 'TooMuchEffort';
}

/** A step checks one value with one subschema. A schema that is compiled has fewer subschemas than this. */
const BASE_STEPS = 20_000;
/** What each part of the value adds. */
const STEPS_PER_NODE = 20;
/** A value that has more parts gets no more steps. */
const MAX_NODES = 1_000_000;

const sizeOf = (root: unknown): number => {
  const waiting = [root];
  let nodes = 0;
  while (waiting.length > 0 && nodes < MAX_NODES) {
    const value = waiting.pop();
    nodes += 1;
    if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (isJsonObject(value)) for (const name of Object.keys(value)) waiting.push(value[name]);
  }
  return nodes;
};

/**
 * Alternatives within alternatives, or a schema that refers to itself in two of them, can be checked in more ways than there
 * is time for: 30 lines of a schema stand for a thousand million.
 */
export class Effort {
  #left = 0;

  begin(value: unknown): void {
    this.#left = BASE_STEPS + STEPS_PER_NODE * sizeOf(value);
  }

  /** Throws TooMuchEffort when there were too many. */
  step(): true {
    this.#left -= 1;
    if (this.#left < 0) throw new TooMuchEffort('the alternatives of the schema multiply');
    return true;
  }
}
