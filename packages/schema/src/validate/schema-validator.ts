import { isJsonObject } from '@plugboard/base';
import { canonicalJson, sha256 } from '../document/canonical-json.js';
import { dialectOf } from '../document/dialect.js';
import { endlessRefs } from '../document/endless-refs.js';
import { isSchema, type JsonSchema } from '../document/json-schema.js';
import { COMPILE_LIMITS } from '../document/limits.js';
import { measure } from '../document/measure.js';
import { refResolver } from '../document/resolve-ref.js';
import { createCompiler, type Compiled } from './compiler.js';
import { TooMuchEffort } from './effort.js';
import { toProblem, type Problem } from './problem.js';
import { selfContained } from './self-contained.js';

/** `unchecked` says what was not looked at and why: such an answer is honest, not a promise. */
export type Validation =
  | { readonly ok: true; readonly unchecked?: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type SchemaValidator = (schema: unknown, value: unknown) => Validation;

export interface SchemaValidatorOptions {
  /** Compiled schemas that are kept. */
  readonly capacity?: number;
}

const MAX_PROBLEMS = 20;
const CAPACITY = 1000;

type Prepared = { readonly ready: Compiled } | { readonly unusable: string };

const unusableReason = (thrown: unknown): string => {
  const text = thrown instanceof Error ? thrown.message : '';
  return `the schema cannot be compiled: ${text.slice(0, 200)}`;
};

const prepare = (schema: JsonSchema, compile: ReturnType<typeof createCompiler>): Prepared => {
  if (endlessRefs(schema, refResolver(schema)).size > 0) return { unusable: 'the schema refers to itself without end' };
  try {
    return { ready: compile(selfContained(schema), dialectOf(schema)) };
  } catch (thrown) {
    return { unusable: unusableReason(thrown) };
  }
};

const judge = ({ check, uncheckedPatterns }: Compiled, value: unknown): Validation => {
  try {
    const errors = check(value);
    if (errors.length > 0) return { ok: false, problems: errors.slice(0, MAX_PROBLEMS).map(toProblem) };
  } catch (thrown) {
    if (thrown instanceof TooMuchEffort) return { ok: true, unchecked: thrown.message };
    // the only way to get here: the value is nested deeper than the stack, or contains itself
    return { ok: false, problems: [{ pointer: '', message: 'Is nested too deeply to be checked.', keyword: 'depth' }] };
  }
  return uncheckedPatterns.length === 0
    ? { ok: true }
    : { ok: true, unchecked: `patterns that cannot be matched safely: ${uncheckedPatterns.join(' ')}`.slice(0, 500) };
};

/** A validator with a memory: each schema is compiled once, and the least recently used ones are forgotten. */
export const createSchemaValidator = ({ capacity = CAPACITY }: SchemaValidatorOptions = {}): SchemaValidator => {
  const compile = createCompiler();
  const byText = new Map<string, Prepared>();
  const byObject = new WeakMap<object, Prepared>();

  const remember = (schema: JsonSchema): Prepared => {
    const key = sha256(canonicalJson(schema));
    const prepared = byText.get(key) ?? prepare(schema, compile);
    byText.delete(key);
    byText.set(key, prepared);
    const oldest = byText.keys().next();
    if (byText.size > capacity && oldest.done !== true) byText.delete(oldest.value);
    if (isJsonObject(schema)) byObject.set(schema, prepared);
    return prepared;
  };

  const find = (schema: unknown): Prepared => {
    const known = isJsonObject(schema) ? byObject.get(schema) : undefined;
    if (known !== undefined) return known;
    if (!isSchema(schema)) return { unusable: 'there is no schema' };
    return measure(schema, COMPILE_LIMITS).ok ? remember(schema) : { unusable: 'the schema is too large' };
  };

  return (schema, value) => {
    try {
      const prepared = find(schema);
      return 'ready' in prepared ? judge(prepared.ready, value) : { ok: true, unchecked: prepared.unusable };
    } catch {
      return { ok: true, unchecked: 'the schema cannot be read' };
    }
  };
};
