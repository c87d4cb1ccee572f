import { isJsonObject } from '@plugboard/base';
import type { JsonSchema, SchemaObject } from '../document/json-schema.js';
import { mapSchema } from '../document/map-schema.js';
import { appendPointer } from '../document/pointer.js';
import { walkSchema } from '../document/walk-schema.js';
import { asText } from './text-difference.js';

/** Keywords that are compared one by one. */
const COMPARED: readonly string[] = [
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'nullable',
  'uniqueItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
  'pattern',
  'format',
];

/** Keywords whose change has an effect that is not worked out: any difference counts. */
export const OPAQUE: readonly string[] = [
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
  'contains',
  'minContains',
  'maxContains',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
];

/** Keywords that only organise the document. */
const STRUCTURAL: readonly string[] = [
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  '$defs',
  'definitions',
];

const NOT_TEXT: ReadonlySet<string> = new Set([...COMPARED, ...OPAQUE, ...STRUCTURAL]);

/** Does the keyword only inform its reader? Unknown ones do: the model reads them like any other text. */
export const isText = (keyword: string): boolean => !NOT_TEXT.has(keyword);

/** The schema with only what decides about validity. */
export const withoutTexts = (schema: JsonSchema): JsonSchema =>
  mapSchema(schema, (node) => Object.fromEntries(Object.entries(node).filter(([keyword]) => !isText(keyword))));

/** Does the schema bring any text that the model reads? */
export const hasTexts = (schema: JsonSchema): boolean => {
  let found = false;
  const look = (node: SchemaObject): SchemaObject => {
    const values = node['enum'];
    found ||=
      Object.keys(node).some(isText) ||
      typeof node['const'] === 'string' ||
      (Array.isArray(values) && values.some((value) => typeof value === 'string'));
    return node;
  };
  if (isJsonObject(schema)) mapSchema(schema, look);
  return found;
};

/** All texts of a schema by their pointers, wherever they stand. */
export const textsIn = (root: JsonSchema): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>();
  walkSchema(root, ({ schema, pointer }) => {
    if (typeof schema === 'boolean') return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (isText(keyword)) texts.set(appendPointer(pointer, keyword), asText(value));
    }
  });
  return texts;
};
