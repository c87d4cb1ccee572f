import { isJsonObject } from '@plugboard/base';
import { isSchema, ownMember, type JsonSchema, type SchemaObject } from '../document/json-schema.js';
import { refOf, refResolver, type RefResolver } from '../document/resolve-ref.js';

/** One of the two schemas that are compared. */
export interface SchemaSide {
  readonly root: JsonSchema;
  readonly resolve: RefResolver;
}

export const openSide = (root: JsonSchema): SchemaSide => ({ root, resolve: refResolver(root) });

const MAX_REFS = 64;

/** `false` as an object that says the same. */
const NOTHING: SchemaObject = { not: {} };

/** The schema with its reference replaced by what it leads to; what stands beside the reference wins. */
export const expand = (schema: JsonSchema, { resolve }: SchemaSide): SchemaObject => {
  let current: SchemaObject = isJsonObject(schema) ? schema : schema ? {} : NOTHING;
  for (let steps = 0; steps < MAX_REFS; steps += 1) {
    const ref = refOf(current);
    const resolution = ref === undefined ? undefined : resolve(ref);
    if (resolution?.found !== true) return current;
    const { $ref: _ref, $dynamicRef: _dynamic, $recursiveRef: _recursive, ...beside } = current;
    const target = isJsonObject(resolution.schema) ? resolution.schema : resolution.schema ? {} : NOTHING;
    current = { ...target, ...beside };
  }
  return current;
};

/** What a schema is: a mere reference is what it leads to. */
export const identity = (schema: JsonSchema, { resolve }: SchemaSide): JsonSchema => {
  let current = schema;
  for (let steps = 0; steps < MAX_REFS; steps += 1) {
    const ref = isJsonObject(current) && Object.keys(current).length === 1 ? refOf(current) : undefined;
    const resolution = ref === undefined ? undefined : resolve(ref);
    if (resolution?.found !== true) return current;
    current = resolution.schema;
  }
  return current;
};

export const schemaMap = (schema: SchemaObject, keyword: string): ReadonlyMap<string, JsonSchema> => {
  const map = ownMember(schema, keyword);
  const entries = isJsonObject(map) ? Object.entries(map) : [];
  return new Map(entries.filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])));
};

export const nameSet = (schema: SchemaObject, keyword: string): ReadonlySet<string> => {
  const list = ownMember(schema, keyword);
  return new Set(Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []);
};
