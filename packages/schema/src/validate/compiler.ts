import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { RE2JS } from 're2js';
import { canonicalJson } from '../document/canonical-json.js';
import type { Dialect } from '../document/dialect.js';
import type { JsonSchema } from '../document/json-schema.js';
import { mapSchema } from '../document/map-schema.js';
import { Effort } from './effort.js';

/** Judges one value; the errors are empty when it is valid. Throws TooMuchEffort. */
export type CompiledCheck = (value: unknown) => readonly ErrorObject[];

export interface Compiled {
  readonly check: CompiledCheck;
  /** Patterns that cannot be matched safely, and are therefore not looked at. */
  readonly uncheckedPatterns: readonly string[];
}

/** Throws what the library throws when the schema cannot be compiled. */
export type Compiler = (schema: JsonSchema, dialect: Dialect) => Compiled;

/** An instance never releases what it keeps of each schema, so it is replaced before that adds up. */
const COMPILES_PER_INSTANCE = 500;

const areUnique = (items: readonly unknown[]): boolean => new Set(items.map(canonicalJson)).size === items.length;

/** What a validator needs of a regular expression. */
interface SafePattern {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

const BACK_REFERENCE = /\\k<|(?<!\\)(?:\\\\)*\\[1-9]/u;

const isExpression = (pattern: string): boolean => {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      // the other mode may accept it
    }
  }
  return false;
};

/**
 * The expression compiled for matching in linear time, so that no pattern can stall the process. Undefined when that
 * is impossible (look-ahead, back-references) or when it is no expression at all.
 */
export const safePattern = (pattern: string): SafePattern | undefined => {
  if (BACK_REFERENCE.test(pattern) || !isExpression(pattern)) return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text) => compiled.test(text), toString: () => `/${pattern}/` };
  } catch {
    return undefined;
  }
};

/** Stands in every subschema, so that each check of it is counted. */
const STEP = 'x-plugboard-step';

const withSteps = (schema: JsonSchema): JsonSchema => mapSchema(schema, (each) => ({ ...each, [STEP]: true }));

const createInstance = (dialect: Dialect, effort: Effort, onUnsafePattern: (pattern: string) => void): Ajv => {
  const regExp = Object.assign(
    (pattern: string) => {
      const safe = safePattern(pattern);
      if (safe !== undefined) return safe;
      onUnsafePattern(pattern);
      return { test: () => true, toString: () => `/unsafe:${pattern}/` };
    },
    { code: 'safePattern' },
  );
  const options: Options = {
    allErrors: true,
    verbose: true,
    strict: false,
    // keeps the generated code proportional to the schema
    inlineRefs: false,
    ownProperties: true,
    logger: false,
    // optimising takes longer than all the rest, and grows faster than the schema
    code: { regExp, optimize: false },
  };
  const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  formatsPlugin.default(ajv);
  ajv.addKeyword({ keyword: STEP, schemaType: 'boolean', errors: false, validate: () => effort.step() });
  // the library compares all pairs of items; this takes linear time
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: readonly unknown[]) => !wanted || areUnique(items),
  });
  return ajv;
};

export const createCompiler = (): Compiler => {
  const effort = new Effort();
  const instances = new Map<Dialect, { readonly ajv: Ajv; compiled: number }>();
  let unsafe: string[] = [];
  return (schema, dialect) => {
    let instance = instances.get(dialect);
    if (instance === undefined || instance.compiled >= COMPILES_PER_INSTANCE) {
      instance = { ajv: createInstance(dialect, effort, (pattern) => void unsafe.push(pattern)), compiled: 0 };
      instances.set(dialect, instance);
    }
    instance.compiled += 1;
    unsafe = [];
    const counted = withSteps(schema);
    try {
      const validate = instance.ajv.compile(counted);
      return {
        check: (value) => {
          effort.begin(value);
          return validate(value) ? [] : (validate.errors ?? []);
        },
        uncheckedPatterns: unsafe,
      };
    } finally {
      instance.ajv.removeSchema(counted);
    }
  };
};
