import { isJsonObject } from '@plugboard/base';
import { isJsonType, isSchema, type SchemaObject } from '../../document/json-schema.js';
import { appendPointer } from '../../document/pointer.js';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';
import type { SchemaView } from '../definition/schema-view.js';

type Form = readonly [expected: string, holds: (value: unknown) => boolean];

const isNumber: Form = ['a number', (value) => typeof value === 'number'];
const isCount: Form = ['a whole number that is not negative', (value) => Number.isInteger(value) && Number(value) >= 0];
const isText: Form = ['a string', (value) => typeof value === 'string'];
const aSchema: Form = ['a schema', isSchema];
const schemaList: Form = [
  'a list of schemas',
  (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
];
const schemaMap: Form = ['a map of schemas', (value) => isJsonObject(value) && Object.values(value).every(isSchema)];

const compiles = (value: unknown): boolean => {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  [
    'type',
    [
      'a type name or a list of them',
      (value) =>
        isJsonType(value) || (Array.isArray(value) && value.length > 0 && value.every(isJsonType) && isUnique(value)),
    ],
  ],
  [
    'required',
    [
      'a list of property names',
      (value) => Array.isArray(value) && value.every((key) => typeof key === 'string') && isUnique(value),
    ],
  ],
  ['enum', ['a list of values', (value) => Array.isArray(value) && value.length > 0]],
  ['pattern', ['a regular expression', compiles]],
  ['properties', schemaMap],
  ['patternProperties', schemaMap],
  ['$defs', schemaMap],
  ['definitions', schemaMap],
  ['dependentSchemas', schemaMap],
  ...['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'].map(
    (keyword): readonly [string, Form] => [keyword, aSchema],
  ),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((keyword): readonly [string, Form] => [keyword, schemaList]),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(
    (keyword): readonly [string, Form] => [keyword, isNumber],
  ),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword): readonly [string, Form] => [keyword, isCount],
  ),
  ...['description', 'title', 'format', '$ref', '$schema', '$id'].map((keyword): readonly [string, Form] => [
    keyword,
    isText,
  ]),
]);

/** Keywords of one schema whose values have not the form that JSON Schema 2020-12 gives them. */
export const malformedKeywords = (schema: SchemaObject): readonly { keyword: string; expected: string }[] =>
  Object.keys(schema).flatMap((keyword) => {
    const form = FORMS.get(keyword);
    return form === undefined || form[1](schema[keyword]) ? [] : [{ keyword, expected: form[0] }];
  });

export const wellFormed = (_rule: RuleFor<'well-formed'>, view: SchemaView): readonly Sighting[] => [
  ...(isSchema(view.root) ? [] : [{ pointer: '', message: 'The tool has no input schema.' }]),
  ...(view.complete ? [] : [{ pointer: '', message: 'The schema is too large or too deep to be read.' }]),
  ...view.objects.flatMap(({ schema, pointer }) =>
    malformedKeywords(schema).map(({ keyword, expected }) => ({
      pointer: appendPointer(pointer, keyword),
      message: `"${keyword}" is not ${expected}.`,
      fix: 'Write it as JSON Schema 2020-12 defines it.',
    })),
  ),
];
