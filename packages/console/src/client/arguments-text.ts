import { isJson } from '../api/json.js';

type Arguments = Readonly<Record<string, unknown>>;

export type ReadArguments = { readonly args: Arguments } | { readonly problem: string };

/** Reads arguments that somebody typed as JSON. */
export const readArguments = (text: string): ReadArguments => {
  if (text.trim() === '') return { args: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isJson(value)) return { args: value };
    return { problem: 'Arguments must be a JSON object.' };
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : 'This is not JSON.' };
  }
};

/** Can a form show the schema? A schema without members has no fields. */
export const hasMembers = (schema: unknown): schema is Arguments =>
  typeof schema === 'object' &&
  schema !== null &&
  'properties' in schema &&
  typeof schema.properties === 'object' &&
  schema.properties !== null &&
  Object.keys(schema.properties).length > 0;
