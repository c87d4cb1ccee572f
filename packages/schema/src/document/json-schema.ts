import { isJsonObject } from '@plugboard/base';

/** A schema object of any dialect. Members are unknown until looked at: servers send whatever they like. */
export type SchemaObject = Readonly<Record<string, unknown>>;

export type JsonSchema = boolean | SchemaObject;

/** The seven type names of JSON Schema. */
export const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

const typeNames: ReadonlySet<unknown> = new Set(JSON_TYPES);

export const isJsonType = (value: unknown): value is JsonType => typeNames.has(value);

/** Has a schema's form: `true`, `false` or an object. Whether its content makes sense is another question. */
export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'boolean' || isJsonObject(value);

/** The member itself, never one that every object inherits (`constructor`, `toString`). */
export const ownMember = (record: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** The schemas in a keyword that holds a list; what is no schema is left out. */
export const schemaList = (schema: SchemaObject, keyword: string): readonly JsonSchema[] => {
  const list = ownMember(schema, keyword);
  return Array.isArray(list) ? list.filter(isSchema) : [];
};
