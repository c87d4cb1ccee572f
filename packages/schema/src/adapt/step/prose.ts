import { ownMember, type SchemaObject } from '../../document/json-schema.js';

const MAX_DESCRIPTION = 1000;
const MAX_SCHEMA_TEXT = 600;

/** Two texts as one; the first becomes a sentence if it is none. */
const join = (before: string, sentence: string): string =>
  `${before}${/[.!?:;,)\]]\s*$/u.test(before) ? '' : '.'} ${sentence}`;

/** The schema with one more sentence for the model. What would make the text too long is left out. */
export const describe = (schema: SchemaObject, sentence: string): SchemaObject => {
  const before = ownMember(schema, 'description');
  const text = typeof before === 'string' && before !== '' ? join(before, sentence) : sentence;
  return text.length > MAX_DESCRIPTION && before !== undefined ? schema : { ...schema, description: text };
};

/** A JSON value as a short piece of text. */
export const brief = (value: unknown, max = 120): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > max ? `${text.slice(0, max)}…` : text;
};

/** Only the texts that describe a schema. */
export const annotationsOf = (schema: SchemaObject): SchemaObject =>
  Object.fromEntries(
    ['title', 'description'].filter((key) => typeof schema[key] === 'string').map((key) => [key, schema[key]]),
  );

const isTelling = (schema: SchemaObject): boolean =>
  Object.keys(schema).some((key) => key !== 'title' && key !== 'description');

/** A string schema that takes a value of `schema` as JSON text, and tells the model its form. */
export const asText = (schema: SchemaObject, what: string): SchemaObject => {
  const form = JSON.stringify(schema);
  const hint = isTelling(schema) && form.length <= MAX_SCHEMA_TEXT ? ` It must match this JSON Schema: ${form}` : '';
  return describe({ ...annotationsOf(schema), type: 'string' }, `${what}, written as JSON text.${hint}`);
};
