import { isSchema, ownMember, schemaList, type JsonSchema, type SchemaObject } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import type { Pair } from './compare-constraints.js';
import type { CompareInner } from './compare-properties.js';

/** The schemas of the first items, in either spelling. */
const leading = (schema: SchemaObject): readonly JsonSchema[] => {
  const prefix = schemaList(schema, 'prefixItems');
  return prefix.length > 0 ? prefix : schemaList(schema, 'items');
};

/** The schema of all other items. */
const remaining = (schema: SchemaObject): JsonSchema => {
  const items = ownMember(schema, 'items');
  const rest = Array.isArray(items) ? ownMember(schema, 'additionalItems') : items;
  return isSchema(rest) ? rest : true;
};

/** What two arrays say about their items. */
export const compareItems = (pair: Pair, inner: CompareInner): void => {
  const [old, now] = [leading(pair.before), leading(pair.after)];
  for (let index = 0; index < Math.max(old.length, now.length); index += 1) {
    inner(
      old[index] ?? remaining(pair.before),
      now[index] ?? remaining(pair.after),
      appendPointer(pair.pointer, 'prefixItems', index),
    );
  }
  inner(remaining(pair.before), remaining(pair.after), appendPointer(pair.pointer, 'items'));
};
