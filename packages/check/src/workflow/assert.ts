import { canonicalJson, createSchemaValidator } from '@plugboard/schema';
import { show } from '../connection/json.js';
import { evaluate } from './path.js';
import { fill, type Variables } from './template.js';
import type { WorkflowAssertion } from './workflow.js';

type Condition = Exclude<keyof WorkflowAssertion, 'path'>;

const same = (one: unknown, two: unknown): boolean =>
  one === undefined || two === undefined ? one === two : canonicalJson(one) === canonicalJson(two);

const includes = (value: unknown, wanted: unknown): boolean => {
  if (typeof value === 'string') return value.includes(typeof wanted === 'string' ? wanted : JSON.stringify(wanted));
  return Array.isArray(value) && value.some((element) => same(element, wanted));
};

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const numbers = (one: unknown, two: unknown, holds: (one: number, two: number) => boolean): boolean =>
  typeof one === 'number' && typeof two === 'number' && holds(one, two);

const validate = createSchemaValidator({ capacity: 100 });

const CONDITIONS: Readonly<Record<Condition, (value: unknown, wanted: unknown) => boolean>> = {
  equals: same,
  notEquals: (value, wanted) => !same(value, wanted),
  contains: includes,
  notContains: (value, wanted) => !includes(value, wanted),
  oneOf: (value, wanted) => Array.isArray(wanted) && wanted.some((one) => same(one, value)),
  greaterThan: (value, wanted) => numbers(value, wanted, (one, two) => one > two),
  lessThan: (value, wanted) => numbers(value, wanted, (one, two) => one < two),
  exists: (value, wanted) => (value !== undefined) === wanted,
  type: (value, wanted) => typeOf(value) === wanted,
  schema: (value, wanted) => validate(wanted, value).ok,
};

/** Why a condition does not hold, one sentence each; none when all do. */
export const broken = (
  { path, ...conditions }: WorkflowAssertion,
  result: unknown,
  variables: Variables,
): readonly string[] => {
  const value = evaluate(path, result);
  const place = path === '' ? 'the result' : path;
  return (Object.entries(conditions) as readonly (readonly [Condition, unknown])[]).flatMap(([name, given]) => {
    if (given === undefined) return [];
    const wanted = name === 'schema' ? given : fill(given, variables);
    return CONDITIONS[name](value, wanted) ? [] : [`${place} is ${show(value)}, but must be: ${name} ${show(wanted)}.`];
  });
};
