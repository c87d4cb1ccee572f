import fc from 'fast-check';
import { isObject, type JsonObject } from '../connection/json.js';
import { exampleArguments } from './example.js';

type Arb = fc.Arbitrary<unknown>;

const numeric = (schema: JsonObject, key: string, otherwise: number): number =>
  typeof schema[key] === 'number' ? schema[key] : otherwise;

/** Patterns, formats and compositions are left to the example: guessing them would call a server wrong that is not. */
const isPlain = (schema: JsonObject): boolean =>
  !['pattern', 'format', 'anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', 'const'].some((key) => key in schema);

const stringOf = (schema: JsonObject): Arb => {
  const minLength = Math.ceil(numeric(schema, 'minLength', 0));
  const maxLength = Math.max(minLength, Math.min(numeric(schema, 'maxLength', 40), minLength + 40));
  // What people see as one character may be several code points, and schemas count these.
  return fc
    .string({ unit: 'grapheme', minLength, maxLength })
    .map((text) => Array.from(text).slice(0, Math.floor(maxLength)).join(''));
};

const SPAN = 100;

const integerOf = (schema: JsonObject): Arb => {
  const lower = Math.ceil(
    Math.max(numeric(schema, 'minimum', -Infinity), Math.floor(numeric(schema, 'exclusiveMinimum', -Infinity)) + 1),
  );
  const upper = Math.floor(
    Math.min(numeric(schema, 'maximum', Infinity), Math.ceil(numeric(schema, 'exclusiveMaximum', Infinity)) - 1),
  );
  const min = Number.isFinite(lower) ? lower : Math.min(-10, upper - SPAN);
  return fc.integer({ min, max: Math.max(min, Math.min(upper, min + SPAN)) });
};

const valueOf = (schema: JsonObject, depth: number): Arb | undefined => {
  if (!isPlain(schema) || depth > 4) return undefined;
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) {
    return fc.constantFrom(...(schema['enum'] as unknown[]));
  }
  switch (schema['type']) {
    case 'string':
      return stringOf(schema);
    case 'integer':
      return integerOf(schema);
    case 'number':
      return 'multipleOf' in schema ? undefined : integerOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return arrayOf(schema, depth);
    case 'object':
      return objectOf(schema, depth + 1);
    default:
      return undefined;
  }
};

const arrayOf = (schema: JsonObject, depth: number): Arb | undefined => {
  const items = isObject(schema['items']) ? valueOf(schema['items'], depth + 1) : undefined;
  const minLength = numeric(schema, 'minItems', 0);
  const maxLength = Math.max(minLength, Math.min(numeric(schema, 'maxItems', 3), minLength + 3));
  if (items === undefined) return undefined;
  return schema['uniqueItems'] === true
    ? fc.uniqueArray(items, { minLength, maxLength })
    : fc.array(items, { minLength, maxLength });
};

const objectOf = (schema: JsonObject, depth: number): Arb | undefined => {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const model: Record<string, Arb> = {};
  for (const [name, part] of Object.entries(properties)) {
    const value = isObject(part) ? valueOf(part, depth) : undefined;
    if (value !== undefined) model[name] = value;
    else if (required.includes(name)) return undefined;
  }
  return fc.record(model, { requiredKeys: Object.keys(model).filter((name) => required.includes(name)) });
};

/** Valid arguments, generated; the plain example for what cannot be generated faithfully. */
export const argumentsArbitrary = (schema: unknown): fc.Arbitrary<JsonObject> => {
  const generated = isObject(schema) ? objectOf(schema, 0) : undefined;
  return (generated ?? fc.constant(exampleArguments(schema))) as fc.Arbitrary<JsonObject>;
};
