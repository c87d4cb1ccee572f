import { isObject, type JsonObject } from '../connection/json.js';

/** Arguments that the schema forbids, and why. */
export interface InvalidArguments {
  readonly args: JsonObject;
  readonly why: string;
  /** Many validators drop what they do not know, so this one is no proof of carelessness. */
  readonly lenient: boolean;
}

const WRONG: Readonly<Record<string, unknown>> = {
  string: { unexpected: true },
  number: { unexpected: true },
  integer: { unexpected: true },
  boolean: { unexpected: true },
  object: 'not an object',
  array: 'not an array',
};

interface Violation {
  readonly value: unknown;
  readonly why: string;
}

/** Texts of which at least one fits no pattern that people write. */
const UNLIKELY = ['\u0007 ~ \u0007', '', 'Zz 9 !'];

const ofText = (name: string, schema: JsonObject): readonly Violation[] => {
  const { maxLength, minLength, pattern } = schema;
  const least = typeof minLength === 'number' ? minLength : 0;
  const unmatched = (expression: string): string | undefined => {
    try {
      const regexp = new RegExp(expression, 'u');
      return UNLIKELY.find((text) => !regexp.test(text) && text.length >= least);
    } catch {
      // What does not compile is for another check to say.
      return undefined;
    }
  };
  const odd = typeof pattern === 'string' ? unmatched(pattern) : undefined;
  return [
    ...(typeof maxLength === 'number' && maxLength < 10_000
      ? [{ value: 'x'.repeat(maxLength + 1), why: `"${name}" is too long` }]
      : []),
    ...(least > 0 ? [{ value: '', why: `"${name}" is too short` }] : []),
    ...(odd === undefined ? [] : [{ value: odd, why: `"${name}" does not match its pattern` }]),
  ];
};

const ofNumber = (name: string, schema: JsonObject): readonly Violation[] => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const at = (limit: unknown, by: number, why: string): readonly Violation[] =>
    typeof limit === 'number' && Number.isSafeInteger(Math.trunc(limit) + by)
      ? [{ value: limit + by, why: `"${name}" is ${why}` }]
      : [];
  return [
    ...at(minimum, -1, 'below its minimum'),
    ...at(maximum, 1, 'above its maximum'),
    ...at(exclusiveMinimum, 0, 'not above its limit'),
    ...at(exclusiveMaximum, 0, 'not below its limit'),
  ];
};

const MAX_ITEMS = 1_000;

const ofList = (name: string, schema: JsonObject, valid: unknown): readonly Violation[] => {
  const { minItems, maxItems, items } = schema;
  const type = isObject(items) && typeof items['type'] === 'string' ? items['type'] : undefined;
  const wrong = type === undefined || (isObject(items) && 'anyOf' in items) ? undefined : WRONG[type];
  const [first] = Array.isArray(valid) ? (valid as unknown[]) : [];
  const least = typeof minItems === 'number' ? minItems : 0;
  return [
    ...(least > 0 ? [{ value: [], why: `"${name}" has too few items` }] : []),
    ...(typeof maxItems === 'number' && maxItems < MAX_ITEMS && first !== undefined
      ? [{ value: Array.from({ length: maxItems + 1 }, () => first), why: `"${name}" has too many items` }]
      : []),
    ...(wrong === undefined
      ? []
      : [
          {
            value: Array.from({ length: Math.max(least, 1) }, () => wrong),
            why: `"${name}" has an item of the wrong type`,
          },
        ]),
  ];
};

const ofProperty = (name: string, schema: JsonObject, valid: JsonObject): readonly InvalidArguments[] => {
  const { type } = schema;
  const wrong = typeof type === 'string' ? WRONG[type] : undefined;
  const listed = Array.isArray(schema['enum']) && type === 'string';
  const cases: readonly Violation[] = [
    ...(wrong === undefined ? [] : [{ value: wrong, why: `"${name}" has the wrong type` }]),
    ...(listed || 'const' in schema ? [{ value: 'surely-none-of-these', why: `"${name}" is none of its values` }] : []),
    ...(type === 'string' && !listed ? ofText(name, schema) : []),
    ...(type === 'number' || type === 'integer' ? ofNumber(name, schema) : []),
    ...(type === 'array' ? ofList(name, schema, valid[name]) : []),
  ];
  return cases.map(({ value, why }) => ({ args: { ...valid, [name]: value }, why, lenient: false }));
};

/** One violation each, starting from valid arguments: type, value, bounds, what is required, what is unknown. */
export const invalidArguments = (schema: unknown, valid: JsonObject): readonly InvalidArguments[] => {
  if (!isObject(schema)) return [];
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required
    .filter((name): name is string => typeof name === 'string' && name in valid)
    .map((name) => ({
      args: Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name)),
      why: `"${name}" is missing`,
      lenient: false,
    }));
  const extra = schema['additionalProperties'] === false && !isObject(schema['patternProperties']);
  return [
    ...missing,
    ...Object.entries(properties).flatMap(([name, part]) => (isObject(part) ? ofProperty(name, part, valid) : [])),
    ...(extra
      ? [{ args: { ...valid, 'surely-unknown': true }, why: '"surely-unknown" is no parameter', lenient: true }]
      : []),
  ];
};
