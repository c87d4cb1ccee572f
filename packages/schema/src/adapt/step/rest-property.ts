import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { propertiesOf } from '../../profile/definition/schema-view.js';
import type { ValueMapping } from '../mapping/mapping.js';
import { textMapping } from '../mapping/text-mapping.js';
import { describeCounts, entriesSchema, fromEntries, isCounted, toEntryList } from './map-to-entries.js';
import { describe } from './prose.js';
import type { Step } from './step.js';

const freeKey = (taken: Readonly<Record<string, unknown>>): string => {
  let key = 'additional_properties';
  while (Object.hasOwn(taken, key)) key = `${key}_`;
  return key;
};

const SAYING = 'Further members beside the declared ones.';

const restSchema = (node: SchemaObject): { readonly schema: SchemaObject; readonly as: 'text' | 'entries' } => {
  const additional = ownMember(node, 'additionalProperties');
  return isJsonObject(additional) && Object.keys(additional).length > 0
    ? { schema: { ...entriesSchema(node, additional), description: SAYING }, as: 'entries' }
    : { schema: describe({ type: 'string' }, `${SAYING} A JSON object, written as JSON text.`), as: 'text' };
};

/**
 * Closes objects. One that says nothing of further members is simply closed: what it declares is what it means. One
 * that invites them gets a property of its own for them.
 */
export const restProperty: Step = {
  id: 'close-object',
  order: 'up',
  serves: ['closed-objects', 'declared-objects'],
  rewrite: (node, place, { report }) => {
    if (node['type'] !== 'object') return undefined;
    const additional = ownMember(node, 'additionalProperties');
    if (additional === false) return undefined;
    const closed = { ...node, additionalProperties: false };
    if (additional === undefined) {
      report(place, 'The object no longer accepts undeclared members.', 'same');
      return { schema: closed };
    }
    const properties = propertiesOf(node);
    const key = freeKey(properties);
    const { schema, as } = restSchema(node);
    report(place, `Undeclared members go into the property "${key}".`, as === 'text' ? 'encoded' : 'same');
    if (isCounted(node)) report(place, 'The number of members is only described.', 'wider');
    const { minProperties: _least, maxProperties: _most, ...uncounted } = closed as SchemaObject;
    return {
      schema: describeCounts(node, { ...uncounted, properties: { ...properties, [key]: schema } }),
      mapping: { op: 'rest', key, declared: Object.keys(properties), as },
    };
  },
};

export const restMapping: ValueMapping<'rest'> = {
  forward: ({ key, declared, as }, value) => {
    if (!isJsonObject(value)) return value;
    const known = new Set(declared);
    const extra = Object.entries(value).filter(([name]) => !known.has(name));
    if (extra.length === 0) return value;
    const rest = Object.fromEntries(extra);
    const own = Object.entries(value).filter(([name]) => known.has(name));
    return Object.fromEntries([...own, [key, as === 'text' ? JSON.stringify(rest) : toEntryList(rest)]]);
  },
  restore: ({ key, declared, as }, value) => {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value;
    const { [key]: packed, ...own } = value;
    const rest = as === 'text' ? textMapping.restore({ op: 'text' }, packed) : fromEntries(packed);
    if (!isJsonObject(rest)) return value;
    const known = new Set(declared);
    // what is declared was asked for by name: a second value among the others does not replace it
    const extra = Object.entries(rest).filter(([name]) => !known.has(name));
    return Object.fromEntries([...Object.entries(own), ...extra]);
  },
};
