import { isJsonObject } from '@plugboard/base';

const without = (holder: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(holder).filter(([name]) => !names.has(name)));

/** Takes arguments away from the schema that a model sees. Whatever else the schema says stays as it is. */
export const hideArguments = (schema: unknown, names: ReadonlySet<string>): unknown => {
  if (names.size === 0 || !isJsonObject(schema)) return schema;
  const { properties, required, ...rest } = schema;
  const left = Array.isArray(required) ? required.filter((name) => !names.has(String(name))) : required;
  return {
    ...rest,
    ...(isJsonObject(properties)
      ? { properties: without(properties, names) }
      : properties === undefined
        ? {}
        : { properties }),
    ...(left === undefined || (Array.isArray(left) && left.length === 0) ? {} : { required: left }),
  };
};

/** Names that the schema requires although nobody will send them. */
export const missingRequired = (
  schema: unknown,
  hidden: ReadonlySet<string>,
  preset: Readonly<Record<string, unknown>>,
): readonly string[] => {
  const required = isJsonObject(schema) ? schema['required'] : undefined;
  if (!Array.isArray(required)) return [];
  return required.filter((name): name is string => typeof name === 'string' && hidden.has(name) && !(name in preset));
};

/** The arguments that are sent: what the model may not send is dropped, what is preset is put in. */
export const withPresets = (
  args: Readonly<Record<string, unknown>>,
  hidden: ReadonlySet<string>,
  preset: Readonly<Record<string, unknown>>,
): Record<string, unknown> => ({ ...without(args, hidden), ...preset });
