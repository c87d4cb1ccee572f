import { isJsonObject } from '@plugboard/base';
import type { SchemaObject } from '../../document/json-schema.js';
import { CannotRewrite } from './cannot-rewrite.js';
import { mergeSchemas } from './merge-schemas.js';
import { annotationsOf, asText, describe } from './prose.js';
import type { Step } from './step.js';

const isSchemaList = (value: unknown): value is readonly SchemaObject[] =>
  Array.isArray(value) && value.every(isJsonObject);

const withoutTexts = (schema: SchemaObject): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'title' && key !== 'description'));

/** `allOf` becomes one schema. What cannot be merged stays open to any value, and the original judges it later. */
export const mergeAllOf: Step = {
  id: 'merge-all-of',
  order: 'up',
  rewrite: (node, place, { report }) => {
    const { allOf: members, ...base } = node;
    if (!isSchemaList(members)) return undefined;
    const texts = annotationsOf({ ...members.find((member) => typeof member['description'] === 'string'), ...base });
    const merged = members.reduce<SchemaObject | undefined>(
      (whole, member) => whole && mergeSchemas(whole, withoutTexts(member)),
      base,
    );
    if (merged !== undefined) {
      report(place, 'The schemas of "allOf" were merged.', 'same');
      return { schema: { ...merged, ...texts } };
    }
    if (place.isRoot) throw new CannotRewrite('The members of "allOf" cannot be merged.', '/allOf');
    report(place, 'The schemas of "allOf" are only described.', 'wider');
    const described = asText(node, 'A value')['description'];
    return {
      schema: describe(texts, typeof described === 'string' ? described.replace(', written as JSON text', '') : ''),
    };
  },
};
