import { isJsonObject, type JsonObject } from '@plugboard/base';

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

const MAX_DEPTH = 8;

/** The schema that a local reference stands for, or the schema itself. */
export const dereference = (schema: unknown, root: unknown): unknown => {
  let current = schema;
  for (let step = 0; step < MAX_DEPTH; step += 1) {
    if (!isJsonObject(current) || typeof current['$ref'] !== 'string' || !current['$ref'].startsWith('#')) {
      return current;
    }
    current = current['$ref']
      .slice(1)
      .split('/')
      .filter((part) => part !== '')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (node, part) => (isJsonObject(node) && Object.hasOwn(node, part) ? node[part] : undefined),
        root,
      );
  }
  return current;
};

const jsonType = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

/** Every JSON type that a schema lets through; empty when it does not say. */
export const allowedTypes = (schema: unknown, root: unknown, depth = 0): readonly string[] => {
  const resolved = dereference(schema, root);
  if (!isJsonObject(resolved) || depth > MAX_DEPTH) return [];
  const { type } = resolved;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map(String);
  if ('const' in resolved) return [jsonType(resolved['const'])];
  if (Array.isArray(resolved['enum'])) return [...new Set(resolved['enum'].map(jsonType))];
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => {
    const value = resolved[word];
    return Array.isArray(value) ? (value as readonly unknown[]) : [];
  });
  return [...new Set(branches.flatMap((branch) => allowedTypes(branch, root, depth + 1)))];
};

const typeText = (schema: unknown, root: unknown): string => {
  const resolved = dereference(schema, root);
  if (isJsonObject(resolved) && Array.isArray(resolved['enum']) && resolved['enum'].length <= 8) {
    return resolved['enum'].map((value) => JSON.stringify(value)).join(' | ');
  }
  const types = allowedTypes(schema, root);
  const [only] = types;
  if (types.length === 1 && only === 'array' && isJsonObject(resolved)) {
    const items = allowedTypes(resolved['items'], root);
    return items.length === 0 ? 'array' : `array of ${items.join(' | ')}`;
  }
  return types.length === 0 ? 'any' : types.join(' | ');
};

export const propertySchemas = (inputSchema: unknown): JsonObject => {
  const root = dereference(inputSchema, inputSchema);
  return isJsonObject(root) && isJsonObject(root['properties']) ? root['properties'] : {};
};

/** The parameters of a tool as a person reads them; rubbish gives an empty list. */
export const parametersOf = (inputSchema: unknown): readonly Parameter[] => {
  const root = dereference(inputSchema, inputSchema);
  const required = isJsonObject(root) && Array.isArray(root['required']) ? root['required'] : [];
  return Object.entries(propertySchemas(inputSchema)).map(([name, schema]) => {
    const description = isJsonObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';
    return { name, type: typeText(schema, inputSchema), required: required.includes(name), description };
  });
};
