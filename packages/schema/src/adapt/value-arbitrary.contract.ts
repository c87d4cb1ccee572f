import { isJsonObject } from '@plugboard/base';
import * as fc from 'fast-check';
import type { SchemaObject } from '../document/json-schema.js';
import { refOf, refResolver, type RefResolver } from '../document/resolve-ref.js';

type Values = fc.Arbitrary<unknown>;

const FORMATS: Readonly<Record<string, Values>> = {
  uri: fc.constant('https://example.com/a'),
  date: fc.constant('2026-11-16'),
  'date-time': fc.constant('2026-11-16T03:00:00Z'),
  email: fc.constant('a@example.com'),
  uuid: fc.constant('00000000-0000-4000-8000-000000000000'),
};

const MAX_DEPTH = 6;

interface Walk {
  readonly resolve: RefResolver;
  readonly depth: number;
}

const number = (schema: SchemaObject, key: string): number | undefined => {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
};

const strings = (schema: SchemaObject): Values => {
  const format = schema['format'];
  if (typeof format === 'string' && FORMATS[format] !== undefined) return FORMATS[format];
  return fc.string({
    minLength: number(schema, 'minLength') ?? 0,
    maxLength: Math.min(number(schema, 'maxLength') ?? 12, 12),
  });
};

const numbers = (schema: SchemaObject): Values => {
  const step = number(schema, 'multipleOf') ?? 1;
  const above = number(schema, 'exclusiveMinimum');
  const least = Math.max(number(schema, 'minimum') ?? -5, above === undefined ? -5 : above + 1);
  const most = Math.min(number(schema, 'maximum') ?? 30, (number(schema, 'exclusiveMaximum') ?? 31) - 1);
  const whole = fc
    .integer({ min: Math.ceil(least / step), max: Math.max(Math.ceil(least / step), Math.floor(most / step)) })
    .map((value) => value * step);
  return whole;
};

const members = (schema: SchemaObject, walk: Walk): Values => {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const entries = Object.entries(properties).map(([key, member]) => {
    const value = valuesOf(member, walk).map((made) => [key, made] as const);
    const pair: fc.Arbitrary<readonly [string, unknown] | undefined> = required.has(key)
      ? value
      : fc.option(value, { nil: undefined });
    return pair;
  });
  const additional = schema['additionalProperties'];
  const isMap = isJsonObject(additional) || additional === true;
  const extra = isMap
    ? fc.dictionary(fc.constantFrom('extra', 'more', 'x y'), valuesOf(additional, walk), {
        minKeys: number(schema, 'minProperties') === undefined ? 0 : 1,
        maxKeys: 2,
      })
    : fc.constant({});
  return fc.tuple(fc.tuple(...entries), extra).map(([made, more]) => ({
    ...more,
    ...Object.fromEntries(made.filter((entry) => entry !== undefined)),
  }));
};

const lists = (schema: SchemaObject, walk: Walk): Values => {
  const least = number(schema, 'minItems') ?? 0;
  const most = Math.max(least, Math.min(number(schema, 'maxItems') ?? 3, 3));
  const items = Array.isArray(schema['prefixItems'])
    ? fc.tuple(...schema['prefixItems'].map((item: unknown) => valuesOf(item, walk)))
    : undefined;
  if (items !== undefined) return items;
  const entries = { minLength: least, maxLength: most };
  return schema['uniqueItems'] === true
    ? fc.uniqueArray(valuesOf(schema['items'] ?? true, walk), {
        ...entries,
        minLength: 0,
        selector: (value) => JSON.stringify(value),
      })
    : fc.array(valuesOf(schema['items'] ?? true, walk), entries);
};

const anything: Values = fc.constantFrom<unknown>('text', '5', 5, true, null, { a: [1] }, ['x']);

const ofType = (type: unknown, schema: SchemaObject, walk: Walk): Values => {
  switch (type) {
    case 'string':
      return strings(schema);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return lists(schema, walk);
    case 'object':
      return members(schema, walk);
    default:
      return isJsonObject(schema['properties']) ? members(schema, walk) : anything;
  }
};

const shallow = (schema: SchemaObject): Values =>
  schema['type'] === 'array' ? fc.constant([]) : schema['type'] === 'string' ? fc.constant('s') : fc.constant({});

/** Values that a schema most likely takes; callers must filter values that it rejects. */
export const valuesOf = (schema: unknown, walk: Walk): Values => {
  if (!isJsonObject(schema)) return anything;
  if (walk.depth > MAX_DEPTH) return shallow(schema);
  const inner = { ...walk, depth: walk.depth + 1 };
  const ref = refOf(schema);
  if (ref !== undefined) {
    const target = walk.resolve(ref);
    return target.found ? valuesOf(target.schema, inner) : anything;
  }
  const own = (): Values => {
    if (Object.hasOwn(schema, 'const')) return fc.constant(schema['const']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
    const union = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(union) && union.length > 0) {
      return fc.oneof(...union.map((branch: unknown) => valuesOf(branch, inner)));
    }
    const all = schema['allOf'];
    if (Array.isArray(all)) {
      return fc
        .tuple(...all.map((member: unknown) => valuesOf(member, inner)))
        .map((made): unknown => (made.every(isJsonObject) ? Object.assign({}, ...made) : made[0]));
    }
    const types = Array.isArray(schema['type']) ? (schema['type'] as unknown[]) : [schema['type']];
    return fc.oneof(...types.map((type) => ofType(type, schema, inner)));
  };
  return schema['nullable'] === true ? fc.oneof(own(), fc.constant(null)) : own();
};

/** Arguments for a tool's input schema. */
export const argumentsFor = (schema: unknown): Values => valuesOf(schema, { resolve: refResolver(schema), depth: 0 });
