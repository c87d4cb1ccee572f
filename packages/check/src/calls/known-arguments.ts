import { isObject, type JsonObject } from '../connection/json.js';

type Known = { readonly value: unknown } | undefined;

/** A value that the author of the schema gives: its constant, an example, its default, or one of its enum. */
const given = (schema: JsonObject): Known => {
  if ('const' in schema) return { value: schema['const'] };
  const { examples, enum: values } = schema;
  if (Array.isArray(examples) && examples.length > 0) return { value: examples[0] as unknown };
  if ('default' in schema) return { value: schema['default'] };
  return Array.isArray(values) && values.length > 0 ? { value: values[0] as unknown } : undefined;
};

export type KnownArguments =
  | { readonly known: true; readonly arguments: JsonObject }
  | { readonly known: false; readonly missing: string };

/** Arguments of which every value is the author's own; otherwise the first required one that has none. */
export const knownArguments = (schema: unknown): KnownArguments => {
  const whole = isObject(schema) ? given(schema) : undefined;
  if (whole !== undefined && isObject(whole.value)) return { known: true, arguments: whole.value };
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const required = isObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const args: Record<string, unknown> = {};
  for (const name of required.filter((one): one is string => typeof one === 'string')) {
    const property = properties[name];
    const value = isObject(property) ? given(property) : undefined;
    if (value === undefined) return { known: false, missing: name };
    args[name] = value.value;
  }
  return { known: true, arguments: args };
};
