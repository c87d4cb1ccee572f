import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';

export type Bindings = Readonly<Record<string, unknown>>;

/** The tool without the parameters whose values are fixed. */
export const hideBound = (definition: ToolDefinition, bindings: Bindings): ToolDefinition => {
  const schema = definition.inputSchema;
  const bound = Object.keys(bindings);
  if (bound.length === 0 || !isJsonObject(schema)) return definition;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : undefined;
  const inputSchema = {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !bound.includes(name))),
    ...(required === undefined ? {} : { required: required.filter((name) => !bound.includes(String(name))) }),
  };
  return { ...definition, inputSchema };
};
