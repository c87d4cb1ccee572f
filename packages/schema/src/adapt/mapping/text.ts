import type { ValueMapping } from './mapping.js';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // a model that was asked for JSON and wrote bare words most likely meant the words
    return text;
  }
};

/** A value as JSON text. A model that sends the value itself is understood too. */
export const textMapping: ValueMapping<'text'> = {
  forward: (_mapping, value) => JSON.stringify(value),
  restore: (_mapping, value) => (typeof value === 'string' ? parse(value) : value),
};
