import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { propertiesOf } from '../../profile/definition/schema-view.js';
import type { ValueMapping } from '../mapping/mapping.js';
import { annotationsOf, asText, brief, describe } from './prose.js';
import type { Rewritten, Step } from './step.js';

/** Objects as `[{key, value}, …]`, for providers that only know declared properties. */
export const entriesSchema = (node: SchemaObject, value: SchemaObject): SchemaObject => {
  const names = ownMember(node, 'propertyNames');
  return {
    type: 'array',
    items: {
      type: 'object',
      properties: { key: { ...(isJsonObject(names) ? names : {}), type: 'string' }, value },
      required: ['key', 'value'],
      additionalProperties: false,
    },
  };
};

const COUNTS = ['minProperties', 'maxProperties'];

/** How many members there may be can only be told once they are counted differently. */
export const isCounted = (node: SchemaObject): boolean => COUNTS.some((keyword) => Object.hasOwn(node, keyword));

export const describeCounts = (node: SchemaObject, schema: SchemaObject): SchemaObject =>
  COUNTS.filter((keyword) => Object.hasOwn(node, keyword)).reduce(
    (whole, keyword) => describe(whole, `${keyword}: ${brief(node[keyword])}.`),
    schema,
  );

const isMap = (node: SchemaObject): boolean =>
  node['type'] === 'object' &&
  Object.keys(propertiesOf(node)).length === 0 &&
  ownMember(node, 'additionalProperties') !== false;

const isFreeForm = (node: SchemaObject): boolean => {
  const additional = ownMember(node, 'additionalProperties');
  return !isJsonObject(additional) || Object.keys(additional).length === 0;
};

const toEntries = (node: SchemaObject): Rewritten => ({
  schema: describeCounts(node, {
    ...annotationsOf(node),
    ...entriesSchema(node, node['additionalProperties'] as SchemaObject),
  }),
  mapping: { op: 'entries' },
});

/** Objects with keys of the model's choice: entries where the values have a schema, JSON text where they have none. */
export const mapToEntries: Step = {
  id: 'map-to-entries',
  order: 'up',
  serves: ['closed-objects', 'declared-objects'],
  rewrite: (node, place, { report, rule }) => {
    if (place.isRoot) return undefined;
    const isEmpty = node['type'] === 'object' && Object.keys(propertiesOf(node)).length === 0;
    if (isEmpty && !isMap(node) && rule('declared-objects') === undefined) return undefined;
    if (!isEmpty) return undefined;
    if (!isMap(node) || isFreeForm(node)) {
      report(place, 'An object without declared properties is passed as JSON text.', 'encoded');
      return { schema: asText(node, 'A JSON object'), mapping: { op: 'text' } };
    }
    report(place, 'A map became a list of keys and values.', isCounted(node) ? 'wider' : 'same');
    return toEntries(node);
  },
};

const isEntry = (value: unknown): value is { readonly key: string; readonly value?: unknown } =>
  isJsonObject(value) && typeof value['key'] === 'string';

export const fromEntries = (value: unknown): unknown =>
  Array.isArray(value) && value.every(isEntry)
    ? Object.fromEntries(value.map((entry) => [entry.key, entry.value]))
    : value;

export const toEntryList = (value: unknown): unknown =>
  isJsonObject(value) ? Object.entries(value).map(([key, member]) => ({ key, value: member })) : value;

export const entriesMapping: ValueMapping<'entries'> = {
  forward: (_mapping, value) => toEntryList(value),
  restore: (_mapping, value) => fromEntries(value),
};
