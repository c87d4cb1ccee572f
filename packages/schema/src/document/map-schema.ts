import { isJsonObject } from '@plugboard/base';
import { isSchema, type JsonSchema, type SchemaObject } from './json-schema.js';
import { APPLICATORS, type Holding } from './keyword.js';
import { appendPointer } from './pointer.js';

/** Rewrites one schema whose subschemas have been rewritten already. */
export type SchemaMapper = (schema: SchemaObject, pointer: string) => SchemaObject;

type Descend = (value: unknown, pointer: string) => unknown;

/** Plain assignment is several times faster than building from entries, and wrong for one name only. */
const setMember = (record: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[name] = value;
  }
};

const mapMembers = (holding: Holding, value: unknown, pointer: string, descend: Descend): unknown => {
  if (Array.isArray(value)) {
    if (holding !== 'list' && holding !== 'mixed') return value;
    return value.map((member: unknown, index) => descend(member, appendPointer(pointer, index)));
  }
  if (holding !== 'map') return holding === 'list' ? value : descend(value, pointer);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) setMember(copy, name, descend(value[name], appendPointer(pointer, name)));
  return copy;
};

/** A copy of a measured document, every schema in it rewritten from the inside out; the original stays as it is. */
export const mapSchema = (root: JsonSchema, mapper: SchemaMapper): JsonSchema => {
  const descend: Descend = (value, pointer) => {
    if (!isSchema(value) || typeof value === 'boolean') return value;
    const copy: Record<string, unknown> = {};
    for (const keyword of Object.keys(value)) {
      const member = value[keyword];
      const holding = APPLICATORS.get(keyword);
      const held =
        holding === undefined ? member : mapMembers(holding, member, appendPointer(pointer, keyword), descend);
      setMember(copy, keyword, held);
    }
    return mapper(copy, pointer);
  };
  return descend(root, '') as JsonSchema;
};
