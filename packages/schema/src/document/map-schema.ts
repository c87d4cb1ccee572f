import { isRecord, isSchema, type JsonSchema, type SchemaObject } from './json-schema.js';
import { APPLICATORS, type Holding } from './keyword.js';
import { appendPointer } from './pointer.js';

/** Rewrites one schema whose subschemas have been rewritten already. */
export type SchemaMapper = (schema: SchemaObject, pointer: string) => SchemaObject;

type Descend = (value: unknown, pointer: string) => unknown;

const mapMembers = (holding: Holding, value: unknown, pointer: string, descend: Descend): unknown => {
  if (Array.isArray(value)) {
    if (holding !== 'list' && holding !== 'mixed') return value;
    return value.map((member: unknown, index) => descend(member, appendPointer(pointer, index)));
  }
  if (holding !== 'map') return holding === 'list' ? value : descend(value, pointer);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, descend(member, appendPointer(pointer, name))]),
  );
};

/** A copy of a measured document, every schema in it rewritten from the inside out; the original stays as it is. */
export const mapSchema = (root: JsonSchema, mapper: SchemaMapper): JsonSchema => {
  const descend: Descend = (value, pointer) => {
    if (!isSchema(value) || typeof value === 'boolean') return value;
    const copy = Object.fromEntries(
      Object.entries(value).map(([keyword, member]) => {
        const holding = APPLICATORS.get(keyword);
        const at = appendPointer(pointer, keyword);
        return [keyword, holding === undefined ? member : mapMembers(holding, member, at, descend)];
      }),
    );
    return mapper(copy, pointer);
  };
  return descend(root, '') as JsonSchema;
};
