import { isJsonObject } from '@plugboard/base';
import type { GradeReason } from '@plugboard/contract';
import { canonicalJson } from '../document/canonical-json.js';
import { declaredTypes, typeInference, type Inferred } from '../document/infer-types.js';
import { isSchema, ownMember, type JsonSchema, type JsonType, type SchemaObject } from '../document/json-schema.js';
import { measure } from '../document/measure.js';
import { refOf, refResolver } from '../document/resolve-ref.js';
import { walkSchema } from '../document/walk-schema.js';
import { mapSchema } from '../document/map-schema.js';
import { isClosable, openPositions } from './open-positions.js';

export interface Normalised {
  /** A new document; the original is never touched. */
  readonly schema: JsonSchema;
  readonly changes: readonly GradeReason[];
}

/** What normalising does to a schema. `docs/schema-rules.md` lists these. */
export const CHANGES = {
  'NRM-01': '"type": "object" was added to the root: arguments are always an object.',
  'NRM-02': 'An empty "properties" was added to the root.',
  'NRM-03': 'The object was closed: only declared properties are allowed.',
  'NRM-04': 'The object was implicitly open and is now marked as open.',
  'NRM-05': 'The type was inferred from the permitted values.',
  'NRM-06': 'The type was inferred from keywords that only apply to it.',
  'NRM-07': 'The type of the target was added next to the reference.',
  'NRM-08': 'Alternatives that were exact duplicates were removed.',
  'NRM-09': 'The input is not a readable schema; the result accepts nothing.',
} as const;

type ChangeId = keyof typeof CHANGES;

const change = (rule: ChangeId, pointer: string): GradeReason => ({ rule, pointer, message: CHANGES[rule] });

type Note = (rule: ChangeId, pointer: string) => void;

const typeValue = (types: ReadonlySet<JsonType>): unknown => {
  const names = [...types].sort();
  return names.length === 1 ? names[0] : names;
};

const combines = (schema: SchemaObject): boolean =>
  ['$ref', '$dynamicRef', '$recursiveRef', 'anyOf', 'oneOf', 'allOf'].some((keyword) => Object.hasOwn(schema, keyword));

const withRootType = (schema: SchemaObject, inferred: Inferred | undefined, note: Note): SchemaObject => {
  const declared = declaredTypes(schema);
  const hasType = Object.hasOwn(schema, 'type');
  const admitsObject = hasType ? declared?.has('object') === true : (inferred?.types.has('object') ?? true);
  if (!admitsObject || schema['type'] === 'object') return schema;
  note('NRM-01', '');
  return hasType ? { ...schema, type: 'object' } : { type: 'object', ...schema };
};

const withRootProperties = (schema: SchemaObject, note: Note): SchemaObject => {
  if (schema['type'] !== 'object' || Object.hasOwn(schema, 'properties') || combines(schema)) return schema;
  note('NRM-02', '');
  return { ...schema, properties: {} };
};

/** First pass: types and openness, for each schema separately. */
const clarify = (root: JsonSchema, note: Note): JsonSchema => {
  const resolve = refResolver(root);
  const open = openPositions(root, resolve);
  const typesOf = typeInference(resolve);

  const withType = (schema: SchemaObject, pointer: string): SchemaObject => {
    if (Object.hasOwn(schema, 'type')) return schema;
    const inferred = typesOf(schema);
    if (inferred === undefined || combines(schema)) return schema;
    if (inferred.guessed && open.has(pointer)) return schema;
    note(inferred.guessed ? 'NRM-06' : 'NRM-05', pointer);
    return { type: typeValue(inferred.types), ...schema };
  };

  const withOpenness = (schema: SchemaObject, pointer: string): SchemaObject => {
    const settled = ['additionalProperties', 'unevaluatedProperties'].some((keyword) => Object.hasOwn(schema, keyword));
    if (settled || open.has(pointer) || declaredTypes(schema)?.has('object') !== true) return schema;
    if (refOf(schema) !== undefined) return schema;
    const closable = isClosable(schema, pointer === '');
    note(closable ? 'NRM-03' : 'NRM-04', pointer);
    return { ...schema, additionalProperties: !closable };
  };

  return mapSchema(root, (schema, pointer) => {
    const typed = pointer === '' ? withRootType(schema, typesOf(schema), note) : withType(schema, pointer);
    const settled = withOpenness(typed, pointer);
    return pointer === '' ? withRootProperties(settled, note) : settled;
  });
};

/** The lists of alternatives that something refers into by number: their members must keep their places. */
const numberedLists = (root: JsonSchema): readonly string[] => {
  const lists: string[] = [];
  walkSchema(root, ({ schema }) => {
    const ref = refOf(schema);
    if (ref?.includes('/anyOf/') === true) lists.push(ref);
  });
  return lists;
};

/** Second pass: what depends on the types of other schemas. */
const connect = (root: JsonSchema, note: Note): JsonSchema => {
  const typesOf = typeInference(refResolver(root));
  const pinned = numberedLists(root);

  const withRefType = (schema: SchemaObject, pointer: string): SchemaObject => {
    if (refOf(schema) === undefined || Object.hasOwn(schema, 'type')) return schema;
    const inferred = typesOf(schema);
    if (inferred === undefined || inferred.guessed) return schema;
    note('NRM-07', pointer);
    return { ...schema, type: typeValue(inferred.types) };
  };

  const withoutDuplicates = (schema: SchemaObject, pointer: string): SchemaObject => {
    const branches = ownMember(schema, 'anyOf');
    if (!Array.isArray(branches) || pinned.length > 0) return schema;
    const distinct = [...new Map(branches.map((branch: unknown) => [canonicalJson(branch), branch])).values()];
    if (distinct.length === branches.length) return schema;
    note('NRM-08', pointer);
    return { ...schema, anyOf: distinct };
  };

  return mapSchema(root, (schema, pointer) => withoutDuplicates(withRefType(schema, pointer), pointer));
};

/** A type beside one reference can make that of another known: repeated until nothing is left to say. */
const connectAll = (root: JsonSchema, note: Note): JsonSchema => {
  let connected = root;
  for (;;) {
    let changed = false;
    connected = connect(connected, (rule, pointer) => {
      changed = true;
      note(rule, pointer);
    });
    if (!changed) return connected;
  }
};

const isReadable = (schema: unknown): schema is JsonSchema => {
  try {
    return isSchema(schema) && measure(schema).ok;
  } catch {
    return false;
  }
};

/**
 * The same schema with everything said that it leaves unsaid: types, openness, types beside references; exact
 * duplicates removed. Doing it twice changes nothing more, and the grade is never worse than before.
 */
export const normaliseSchema = (schema: unknown): Normalised => {
  if (!isReadable(schema)) return { schema: false, changes: [change('NRM-09', '')] };
  if (!isJsonObject(schema)) return { schema, changes: [] };
  const changes: GradeReason[] = [];
  const note: Note = (rule, pointer) => void changes.push(change(rule, pointer));
  return { schema: connectAll(clarify(schema, note), note), changes };
};
