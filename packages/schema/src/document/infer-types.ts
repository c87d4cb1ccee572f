import { isJsonObject } from '@plugboard/base';
import { isJsonType, ownMember, schemaList, type JsonSchema, type JsonType, type SchemaObject } from './json-schema.js';
import { refOf, type RefResolver } from './resolve-ref.js';
import { typeOfValue } from './value-type.js';

/** The types that a schema admits. `guessed`: only its other keywords suggest them, and nothing enforces them. */
export interface Inferred {
  readonly types: ReadonlySet<JsonType>;
  readonly guessed: boolean;
}

/** Answers undefined where nothing can be said. */
export type TypeInference = (schema: JsonSchema) => Inferred | undefined;

type Known = (schema: JsonSchema) => Inferred | undefined;

const exact = (types: Iterable<JsonType>): Inferred | undefined => {
  const set = new Set(types);
  // every integer is a number
  if (set.has('number')) set.delete('integer');
  return set.size === 0 ? undefined : { types: set, guessed: false };
};

/** What `type` itself says; undefined when it is absent or illegal. */
export const declaredTypes = (schema: SchemaObject): ReadonlySet<JsonType> | undefined => {
  const type = ownMember(schema, 'type');
  if (isJsonType(type)) return new Set([type]);
  return Array.isArray(type) && type.length > 0 && type.every(isJsonType) ? new Set(type) : undefined;
};

const valueTypes = (values: readonly unknown[]): Inferred | undefined => {
  const types = values.map(typeOfValue);
  return types.includes(undefined) ? undefined : exact(types.filter((type) => type !== undefined));
};

const union = (members: readonly JsonSchema[], known: Known): Inferred | undefined => {
  const inferred = members.map(known);
  if (inferred.length === 0 || inferred.includes(undefined)) return undefined;
  const types = exact(inferred.flatMap((member) => [...(member?.types ?? [])]));
  return types && { ...types, guessed: inferred.some((member) => member?.guessed === true) };
};

const meet = (a: ReadonlySet<JsonType>, b: ReadonlySet<JsonType>): ReadonlySet<JsonType> =>
  new Set(
    [...a, ...b].filter(
      (type) =>
        (a.has(type) || (type === 'integer' && a.has('number'))) &&
        (b.has(type) || (type === 'integer' && b.has('number'))),
    ),
  );

const intersection = (members: readonly JsonSchema[], known: Known): Inferred | undefined => {
  const inferred = members.map(known).filter((member) => member !== undefined && !member.guessed);
  const first = inferred[0];
  if (first === undefined) return undefined;
  return exact(inferred.reduce((types, member) => meet(types, member?.types ?? types), first.types));
};

const shape = (schema: SchemaObject): Inferred | undefined => {
  if (Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'additionalProperties')) {
    return { types: new Set<JsonType>(['object']), guessed: true };
  }
  return Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems')
    ? { types: new Set<JsonType>(['array']), guessed: true }
    : undefined;
};

const UNIONS = ['allOf', 'anyOf', 'oneOf'] as const;

const infer = (schema: SchemaObject, target: JsonSchema | undefined, known: Known): Inferred | undefined => {
  const declared = declaredTypes(schema);
  if (declared !== undefined) return { types: declared, guessed: false };
  if (Object.hasOwn(schema, 'const')) return valueTypes([schema['const']]);
  const values = ownMember(schema, 'enum');
  if (Array.isArray(values)) return valueTypes(values);
  return (
    (target === undefined ? undefined : known(target)) ??
    intersection(schemaList(schema, 'allOf'), known) ??
    union(schemaList(schema, 'anyOf'), known) ??
    union(schemaList(schema, 'oneOf'), known) ??
    shape(schema)
  );
};

/**
 * Inference for one document. Each schema is looked at once, and without recursion: references may form chains that
 * are far longer than the document is deep.
 */
export const typeInference = (resolve: RefResolver): TypeInference => {
  const done = new Map<SchemaObject, Inferred | undefined>();
  const started = new Set<SchemaObject>();
  const known: Known = (schema) => (typeof schema === 'boolean' ? undefined : done.get(schema));

  const targetOf = (schema: SchemaObject): JsonSchema | undefined => {
    const ref = refOf(schema);
    const resolution = ref === undefined ? undefined : resolve(ref);
    return resolution?.found === true ? resolution.schema : undefined;
  };

  return (root) => {
    if (typeof root === 'boolean') return undefined;
    const pending: SchemaObject[] = [root];
    for (let schema = pending.at(-1); schema !== undefined; schema = pending.at(-1)) {
      if (done.has(schema)) {
        pending.pop();
        continue;
      }
      const target = targetOf(schema);
      if (started.has(schema)) {
        done.set(schema, infer(schema, target, known));
        pending.pop();
        continue;
      }
      started.add(schema);
      // what was started and is not done leads back here: it stays unknown
      const need = (other: JsonSchema | undefined): void => {
        if (isJsonObject(other) && !started.has(other)) pending.push(other);
      };
      need(target);
      for (const keyword of UNIONS) for (const branch of schemaList(schema, keyword)) need(branch);
    }
    return done.get(root);
  };
};
