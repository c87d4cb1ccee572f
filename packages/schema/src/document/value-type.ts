import type { JsonType } from './json-schema.js';

/** The narrowest type name of a JSON value; undefined for what is not JSON. */
export const typeOfValue = (value: unknown): JsonType | undefined => {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
    default:
      return undefined;
  }
};
