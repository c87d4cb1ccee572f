import { tryJson } from '@plugboard/base';
import type { ValueMapping } from './mapping.js';

const parse = (text: string): unknown => {
  const value = tryJson(text);
  // a model that was asked for JSON and wrote bare words most likely meant the words
  return value === undefined ? text : value;
};

/** A value as JSON text. A model that sends the value itself is understood too. */
export const textMapping: ValueMapping<'text'> = {
  forward: (_mapping, value) => JSON.stringify(value),
  restore: (_mapping, value) => (typeof value === 'string' ? parse(value) : value),
};
