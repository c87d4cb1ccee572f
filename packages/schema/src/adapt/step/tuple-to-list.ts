import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { brief, describe } from './prose.js';
import type { Step } from './step.js';

const distinct = (schemas: readonly SchemaObject[]): readonly SchemaObject[] => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
];

/** Arrays whose items each have a schema become arrays of any of them, in both spellings of tuples. */
export const tupleToList: Step = {
  id: 'tuple-to-list',
  order: 'up',
  rewrite: (node, place, { report }) => {
    const old = ownMember(node, 'items');
    const members = Array.isArray(old) ? old : ownMember(node, 'prefixItems');
    if (!Array.isArray(members) || !members.every(isJsonObject)) return undefined;
    const { prefixItems: _prefix, items: _items, additionalItems: _additional, ...rest } = node;
    const others: readonly SchemaObject[] = isJsonObject(old) && Object.keys(old).length > 0 ? [old] : [];
    const choices = distinct([...members, ...others]);
    report(place, 'A tuple became a list.', 'wider');
    const items = choices.length === 1 ? choices[0] : { anyOf: choices };
    return { schema: describe({ ...rest, items }, `The items in order: ${brief(members, 300)}.`) };
  },
};
