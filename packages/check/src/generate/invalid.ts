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

const ofProperty = (name: string, schema: JsonObject, valid: JsonObject): readonly InvalidArguments[] => {
  const wrong = typeof schema['type'] === 'string' ? WRONG[schema['type']] : undefined;
  const cases: { value: unknown; why: string }[] = [];
  if (wrong !== undefined) cases.push({ value: wrong, why: `"${name}" has the wrong type` });
  if (Array.isArray(schema['enum']) && schema['type'] === 'string') {
    cases.push({ value: 'surely-none-of-these', why: `"${name}" is none of its values` });
  }
  const { minimum, maximum, maxLength, minLength } = schema;
  if (typeof minimum === 'number') cases.push({ value: minimum - 1, why: `"${name}" is below its minimum` });
  if (typeof maximum === 'number') cases.push({ value: maximum + 1, why: `"${name}" is above its maximum` });
  if (typeof maxLength === 'number' && maxLength < 10_000) {
    cases.push({ value: 'x'.repeat(maxLength + 1), why: `"${name}" is too long` });
  }
  if (typeof minLength === 'number' && minLength > 0) cases.push({ value: '', why: `"${name}" is too short` });
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
