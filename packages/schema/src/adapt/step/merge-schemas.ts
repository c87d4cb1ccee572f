import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { propertiesOf, requiredOf, typesOf } from '../../profile/definition/schema-view.js';

type Merge = (a: unknown, b: unknown) => unknown;

/** Says that two schemas have no common form that could be written down. */
const NONE = Symbol('no common form');

export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const larger: Merge = (a, b) => Math.max(Number(a), Number(b));
const smaller: Merge = (a, b) => Math.min(Number(a), Number(b));
const first: Merge = (a) => a;
const either: Merge = (a, b) => a === true || b === true;
const equalOnly: Merge = (a, b) => (sameJson(a, b) ? a : NONE);

const mergeEnums: Merge = (a, b) => {
  if (!Array.isArray(a) || !Array.isArray(b)) return NONE;
  const common = a.filter((value: unknown) => b.some((other: unknown) => sameJson(value, other)));
  return common.length === 0 ? NONE : common;
};

const mergeTypes: Merge = (a, b) => {
  const left = typesOf({ type: a });
  const right = typesOf({ type: b });
  const has = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const common = [...new Set([...left, ...right])].filter((type) => has(left, type) && has(right, type));
  if (common.length === 0) return NONE;
  return common.length === 1 ? common[0] : common;
};

const mergeInner: Merge = (a, b) => {
  if (!isJsonObject(a) || !isJsonObject(b)) return equalOnly(a, b);
  return mergeSchemas(a, b) ?? NONE;
};

/** Keywords that both sides may have, and what holds for both together. All others must agree. */
const MERGES: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ['type', mergeTypes],
  ['enum', mergeEnums],
  ['items', mergeInner],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((key): [string, Merge] => [
    key,
    larger,
  ]),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((key): [string, Merge] => [
    key,
    smaller,
  ]),
  ...['title', 'description', 'default', 'examples', '$comment', 'deprecated'].map((key): [string, Merge] => [
    key,
    first,
  ]),
  ['uniqueItems', either],
]);

const OBJECT_KEYWORDS = new Set(['properties', 'required', 'additionalProperties']);

const isOpen = (schema: SchemaObject): boolean => {
  const additional = ownMember(schema, 'additionalProperties');
  return (
    additional === undefined ||
    additional === true ||
    (isJsonObject(additional) && Object.keys(additional).length === 0)
  );
};

const declares = (a: SchemaObject, b: SchemaObject): boolean =>
  Object.keys(propertiesOf(b)).every((key) => Object.hasOwn(propertiesOf(a), key));

/** Members of both objects, unless one forbids or judges what only the other declares. */
const mergeObjects = (a: SchemaObject, b: SchemaObject): SchemaObject | undefined => {
  if ((!isOpen(a) && !declares(a, b)) || (!isOpen(b) && !declares(b, a))) return undefined;
  const left = propertiesOf(a);
  const right = propertiesOf(b);
  const properties = new Map<string, unknown>(Object.entries(left));
  for (const [key, schema] of Object.entries(right)) {
    const merged = Object.hasOwn(left, key) ? mergeInner(left[key], schema) : schema;
    if (merged === NONE) return undefined;
    properties.set(key, merged);
  }
  const required = [...new Set([...requiredOf(a), ...requiredOf(b)])];
  const closing = [a, b].map((side) => ownMember(side, 'additionalProperties')).filter((value) => value !== undefined);
  const additional = closing.length === 2 ? mergeAdditional(closing[0], closing[1]) : closing[0];
  if (additional === NONE) return undefined;
  return {
    ...(properties.size > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(additional === undefined ? {} : { additionalProperties: additional }),
  };
};

const mergeAdditional: Merge = (a, b) => {
  if (a === false || b === false) return false;
  if (a === true) return b;
  return b === true ? a : mergeInner(a, b);
};

/** One schema that takes exactly what both take; undefined when it cannot be written down. */
export const mergeSchemas = (a: SchemaObject, b: SchemaObject): SchemaObject | undefined => {
  const objects = mergeObjects(a, b);
  if (objects === undefined) return undefined;
  const merged = new Map<string, unknown>();
  for (const keyword of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (OBJECT_KEYWORDS.has(keyword)) continue;
    const both = Object.hasOwn(a, keyword) && Object.hasOwn(b, keyword);
    const value = both ? (MERGES.get(keyword) ?? equalOnly)(a[keyword], b[keyword]) : (a[keyword] ?? b[keyword]);
    if (value === NONE) return undefined;
    merged.set(keyword, value);
  }
  const values = merged.get('enum');
  if (Array.isArray(values) && merged.has('const')) return undefined;
  return { ...Object.fromEntries(merged), ...objects };
};
