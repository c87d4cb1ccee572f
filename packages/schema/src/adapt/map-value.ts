import { isJsonObject } from '@plugboard/base';
import { entriesMapping } from './step/map-to-entries.js';
import { lookupMapping } from './step/enum-to-lookup.js';
import { omitNullMapping } from './step/optional-to-nullable.js';
import { renameMapping } from './step/rename-keys.js';
import { restMapping } from './step/rest-property.js';
import { wrapMapping } from './step/wrap-root.js';
import type { BranchMapping, Mapping, MappingFor } from './mapping/mapping.js';
import { textMapping } from './mapping/text-mapping.js';
import type { SchemaObject } from '../document/json-schema.js';
import { validateResult } from '../validate/validate.js';

/** Is the value of the form that the schema describes? Unlike arguments, it may be null. */
const accepts = (schema: SchemaObject, value: unknown): boolean => validateResult(schema, value).ok;

type Direction = 'forward' | 'restore';

const within = (mapping: MappingFor<'inside'>, value: unknown, direction: Direction): unknown => {
  const { items, properties = {}, additional, declared = [] } = mapping;
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((entry: unknown) => mapValue(items, entry, direction));
  }
  if (!isJsonObject(value)) return value;
  const mappingOf = (key: string): Mapping | undefined => {
    if (Object.hasOwn(properties, key)) return properties[key];
    return declared.includes(key) ? undefined : additional;
  };
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const inner = mappingOf(key);
      return [key, inner === undefined ? member : mapValue(inner, member, direction)];
    }),
  );
};

const throughBranch = (branch: BranchMapping, value: unknown, direction: Direction): unknown =>
  branch.mapping === null ? value : mapValue(branch.mapping, value, direction);

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** The one branch for values of this kind, when the validator takes none: it cannot judge a member called __proto__. */
const onlyBranchOfKind = (
  { branches }: MappingFor<'union'>,
  value: unknown,
  direction: Direction,
): BranchMapping | undefined => {
  const [first, ...others] = branches.filter(
    ({ before, after }) => (direction === 'forward' ? before : after)['type'] === kindOf(value),
  );
  return others.length === 0 ? first : undefined;
};

/** The first branch that takes the value on the side it comes from, and its image on the other side. */
const throughUnion = (mapping: MappingFor<'union'>, value: unknown, direction: Direction): unknown => {
  const fitting = mapping.branches.filter(({ before, after }) =>
    accepts(direction === 'forward' ? before : after, value),
  );
  for (const branch of fitting) {
    const image = throughBranch(branch, value, direction);
    if (accepts(direction === 'forward' ? branch.after : branch.before, image)) return image;
  }
  const likely = fitting[0] ?? onlyBranchOfKind(mapping, value, direction);
  return likely === undefined ? value : throughBranch(likely, value, direction);
};

/** The image of a value under a mapping. */
export const mapValue = (mapping: Mapping, value: unknown, direction: Direction): unknown => {
  switch (mapping.op) {
    case 'inside':
      return within(mapping, value, direction);
    case 'union':
      return throughUnion(mapping, value, direction);
    case 'sequence': {
      const ordered = direction === 'forward' ? mapping.mappings : mapping.mappings.toReversed();
      return ordered.reduce<unknown>((image, step) => mapValue(step, image, direction), value);
    }
    case 'wrap':
      return wrapMapping[direction](mapping, value);
    case 'text':
      return textMapping[direction](mapping, value);
    case 'entries':
      return entriesMapping[direction](mapping, value);
    case 'rest':
      return restMapping[direction](mapping, value);
    case 'lookup':
      return lookupMapping[direction](mapping, value);
    case 'rename':
      return renameMapping[direction](mapping, value);
    case 'omit-null':
      return omitNullMapping[direction](mapping, value);
    default:
      return mapping satisfies never;
  }
};
