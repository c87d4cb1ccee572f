import { isObject } from '../connection/json.js';
import { evaluate, PathError } from './path.js';

/** A reference to something that has no value. */
export class Unfilled extends Error {
  override readonly name = 'Unfilled';
}

export type Variables = Readonly<Record<string, unknown>>;

const REFERENCE = /\$\{([^{}]*)\}/gu;
const WHOLE = /^\$\{([^{}]*)\}$/u;
/** A text does not grow without end by references to itself. */
const MAX_TEXT = 4_000_000;

const valueOf = (expression: string, variables: Variables): unknown => {
  const value = evaluate(expression.trim(), variables);
  if (value === undefined) throw new Unfilled(`\${${expression}} has no value.`);
  return value;
};

const inText = (text: string, variables: Variables): string => {
  const filled = text.replaceAll(REFERENCE, (_whole, expression: string) => {
    const value = valueOf(expression, variables);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  if (filled.length > MAX_TEXT) throw new PathError(`A text became longer than ${MAX_TEXT} characters.`);
  return filled;
};

/** Fills in `${name.path | filter}` everywhere in a value. A text that is nothing but a reference becomes its value. */
export const fill = (value: unknown, variables: Variables): unknown => {
  if (typeof value === 'string') {
    const whole = WHOLE.exec(value)?.[1];
    return whole === undefined ? inText(value, variables) : valueOf(whole, variables);
  }
  if (Array.isArray(value)) return value.map((element) => fill(element, variables));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, variables)]));
};
