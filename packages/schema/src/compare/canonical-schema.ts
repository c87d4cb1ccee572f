import { isJsonObject } from '@plugboard/base';
import type { JsonSchema, SchemaObject } from '../document/json-schema.js';
import { mapSchema } from '../document/map-schema.js';

/** Members that say no more than their absence. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  additionalProperties: true,
  items: true,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  uniqueItems: false,
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  nullable: false,
};

const isEmptyObject = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

const saysNothing = (keyword: string, value: unknown): boolean => {
  if (value === undefined) return true;
  if (Object.hasOwn(DEFAULTS, keyword) && DEFAULTS[keyword] === value) return true;
  switch (keyword) {
    case 'title':
    case 'description':
      return value === null || value === '';
    case 'required':
      return Array.isArray(value) && value.length === 0;
    case 'additionalProperties':
    case 'items':
    case 'properties':
    case 'patternProperties':
    case '$defs':
    case 'definitions':
      return isEmptyObject(value);
    default:
      return false;
  }
};

const settledMember = (keyword: string, value: unknown): unknown => {
  if (!Array.isArray(value) || !value.every((member) => typeof member === 'string')) return value;
  if (keyword === 'required') return [...new Set(value)].sort();
  if (keyword !== 'type') return value;
  const types = [...new Set(value)].sort();
  return types.length === 1 ? types[0] : types;
};

const settle = (schema: SchemaObject): SchemaObject =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => !saysNothing(keyword, value))
      .map(([keyword, value]) => [keyword, settledMember(keyword, value)]),
  );

/** A measured schema without what makes no difference: defaults written out, the order of `required` and `type`. */
export const canonicalSchema = (schema: JsonSchema): JsonSchema => mapSchema(schema, settle);
