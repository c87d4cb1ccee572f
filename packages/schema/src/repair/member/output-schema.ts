import { isJsonObject } from '@plugboard/base';
import { Ajv } from 'ajv';
import formatsPlugin from 'ajv-formats';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { COMPILE_LIMITS } from '../../document/limits.js';
import { measure } from '../../document/measure.js';
import { refOf } from '../../document/resolve-ref.js';

/** An instance never releases what it keeps of each schema, so it is replaced before that adds up. */
const COMPILES_PER_INSTANCE = 500;

const MAX_VERDICTS = 500;
const MAX_KEPT_LENGTH = 4000;

/** As official clients make it; what differs changes no verdict, and keeps the code proportional to the schema. */
const createInstance = (): Ajv => {
  const ajv = new Ajv({
    strict: false,
    validateFormats: true,
    validateSchema: false,
    allErrors: true,
    logger: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  formatsPlugin.default(ajv);
  return ajv;
};

const createCompileCheck = (): ((schema: SchemaObject) => string | undefined) => {
  let instance: { readonly ajv: Ajv; compiled: number } | undefined;
  const compile = (schema: SchemaObject): string | undefined => {
    if (instance === undefined || instance.compiled >= COMPILES_PER_INSTANCE) {
      instance = { ajv: createInstance(), compiled: 0 };
    }
    instance.compiled += 1;
    const { ajv } = instance;
    try {
      ajv.compile(schema);
      return undefined;
    } catch (thrown) {
      return `Clients cannot compile it: ${thrown instanceof Error ? thrown.message.slice(0, 200) : 'no reason given'}`;
    } finally {
      ajv.removeSchema(schema);
    }
  };
  // Tools of one server often have the same result.
  const verdicts = new Map<string, string | undefined>();
  return (schema) => {
    const text = JSON.stringify(schema);
    if (verdicts.has(text)) return verdicts.get(text);
    const verdict = compile(schema);
    if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
    if (text.length <= MAX_KEPT_LENGTH) verdicts.set(text, verdict);
    return verdict;
  };
};

const compileFault = createCompileCheck();

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Every object in the document but its root, wherever it stands: clients look for ids everywhere. */
const innerObjects = function* (root: object): Generator<object> {
  const pending: object[] = Object.values(root).filter(isObject);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    pending.push(...Object.values(next).filter(isObject));
  }
};

const hasText = (holder: object, member: string): boolean =>
  isJsonObject(holder) && typeof ownMember(holder, member) === 'string';

const refersOutside = (holder: object): boolean => isJsonObject(holder) && refOf(holder)?.startsWith('#') === false;

/**
 * A client keeps the compiled schemas of all servers by their ids: a tool with the id of another would be checked by the
 * other's schema. So a schema is listed without an id, which means the same as long as nothing refers to it.
 */
export const withoutId = (schema: SchemaObject): SchemaObject => {
  if (!Object.hasOwn(schema, '$id')) return schema;
  const { $id: _id, ...rest } = schema;
  return rest;
};

/** Why a client that compiles this schema fails; undefined when it does not. */
export const outputCompileFault = (schema: SchemaObject): string | undefined => {
  if (!measure(schema, COMPILE_LIMITS).ok) return 'It is too large to be compiled by clients.';
  const dialect = schema['$schema'];
  if (dialect !== undefined && typeof dialect !== 'string') return '"$schema" is not text.';
  const inner = [...innerObjects(schema)];
  const refersById = Object.hasOwn(schema, '$id') && [schema, ...inner].some(refersOutside);
  if (refersById || inner.some((holder) => hasText(holder, '$id'))) return 'It has parts that are known by an "$id".';
  return compileFault(withoutId(schema));
};
