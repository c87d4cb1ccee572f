import { isJsonObject, nearest } from '@plugboard/base';
import type { ErrorObject } from 'ajv';
import { ownMember } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import { typeOfValue } from '../document/value-type.js';

/** One thing that is wrong with a value, in words that a model or a person can act on. */
export interface Problem {
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
  /** The keyword of the schema that was broken. */
  readonly keyword: string;
}

const MAX_LISTED = 20;
const MAX_SHOWN = 80;

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

const list = (values: readonly unknown[]): string =>
  values.slice(0, MAX_LISTED).map(show).join(', ') + (values.length > MAX_LISTED ? ', …' : '');

const param = (error: ErrorObject, name: string): unknown => ownMember(error.params as Record<string, unknown>, name);

const declaredNames = (error: ErrorObject): readonly string[] => {
  const properties = isJsonObject(error.parentSchema) ? ownMember(error.parentSchema, 'properties') : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
};

const unknownMember = (error: ErrorObject, name: string): string => {
  const names = declaredNames(error);
  const meant = nearest(name, names);
  const known = names.length === 0 ? '' : ` Known here: ${list(names)}.`;
  return `${show(name)} is not known here.${meant === undefined ? known : ` Did you mean ${show(meant)}?`}`;
};

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
};

const COUNTED: Readonly<Record<string, string>> = {
  minLength: 'at least # characters',
  maxLength: 'at most # characters',
  minItems: 'at least # items',
  maxItems: 'at most # items',
  minProperties: 'at least # members',
  maxProperties: 'at most # members',
};

const messageOf = (error: ErrorObject): string => {
  const { keyword } = error;
  if (Object.hasOwn(LIMIT_WORDS, keyword)) return `Must be ${LIMIT_WORDS[keyword]} ${show(param(error, 'limit'))}.`;
  if (Object.hasOwn(COUNTED, keyword)) {
    return `Must have ${COUNTED[keyword]?.replace('#', show(param(error, 'limit')))}.`;
  }
  switch (keyword) {
    case 'type': {
      const type = param(error, 'type');
      const wanted = Array.isArray(type) ? type.join(' or ') : String(type);
      return `Must be ${wanted}, and is ${typeOfValue(error.data) ?? 'nothing'}: ${show(error.data)}.`;
    }
    case 'enum':
      return `Must be one of ${list(Array.isArray(error.schema) ? error.schema : [])}.`;
    case 'const':
      return `Must be ${show(error.schema)}.`;
    case 'pattern':
      return `Must match the pattern ${show(error.schema)}.`;
    case 'format':
      return `Must have the format ${show(error.schema)}.`;
    case 'multipleOf':
      return `Must be a multiple of ${show(error.schema)}.`;
    case 'uniqueItems':
      return 'Must not contain the same item twice.';
    case 'anyOf':
      return 'Must match at least one of the alternatives.';
    case 'oneOf':
      return Array.isArray(param(error, 'passingSchemas'))
        ? 'Must match exactly one of the alternatives, but matches several.'
        : 'Must match exactly one of the alternatives.';
    case 'not':
      return 'Is excluded by the schema.';
    case 'false schema':
      return 'Must not be given.';
    default:
      return `Breaks "${keyword}"${error.message === undefined ? '' : `: ${error.message}`}.`;
  }
};

/** The library's error in our words. */
export const toProblem = (error: ErrorObject): Problem => {
  const { keyword, instancePath } = error;
  const missing = param(error, 'missingProperty');
  if (
    (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies') &&
    typeof missing === 'string'
  ) {
    return { pointer: appendPointer(instancePath, missing), message: `${show(missing)} is required.`, keyword };
  }
  const extra = param(error, 'additionalProperty') ?? param(error, 'unevaluatedProperty');
  if (typeof extra === 'string') {
    return { pointer: appendPointer(instancePath, extra), message: unknownMember(error, extra), keyword };
  }
  return { pointer: instancePath, message: messageOf(error), keyword };
};

/** All problems as one text, one line each. */
export const explainProblems = (problems: readonly Problem[]): string =>
  problems.map(({ pointer, message }) => `${pointer === '' ? '(all)' : pointer}: ${message}`).join('\n');
