import { isObject, type JsonObject } from '../connection/json.js';

const resolve = (schema: unknown, root: unknown): JsonObject => {
  if (!isObject(schema)) return {};
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (inner, key) => (isObject(inner) ? inner[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    );
  return isObject(found) ? found : {};
};

const ofString = (schema: JsonObject): string => {
  const formats: Readonly<Record<string, string>> = {
    uri: 'https://example.com/',
    'date-time': '2026-01-01T00:00:00Z',
    date: '2026-01-01',
    time: '00:00:00Z',
    email: 'someone@example.com',
    uuid: '123e4567-e89b-42d3-a456-426614174000',
    ipv4: '192.0.2.1',
    hostname: 'example.com',
  };
  const format = typeof schema['format'] === 'string' ? formats[schema['format']] : undefined;
  const least = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0;
  const most = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : Number.POSITIVE_INFINITY;
  return format ?? 'example'.padEnd(least, 'x').slice(0, most);
};

const ofNumber = (schema: JsonObject): number => {
  const least = Number(
    schema['minimum'] ?? (typeof schema['exclusiveMinimum'] === 'number' ? schema['exclusiveMinimum'] + 1 : 1),
  );
  const most = Number(schema['maximum'] ?? Number.POSITIVE_INFINITY);
  return Math.min(least > 0 ? least : Math.max(least, 1), most);
};

const valueFor = (part: unknown, root: unknown, depth: number): unknown => {
  const schema = resolve(part, root);
  if ('const' in schema) return schema['const'];
  for (const key of ['examples', 'enum'] as const) {
    const values = schema[key];
    if (Array.isArray(values) && values.length > 0) return values[0] as unknown;
  }
  if ('default' in schema) return schema['default'];
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = schema[key];
    if (Array.isArray(branches) && branches.length > 0 && depth > 0) return valueFor(branches[0], root, depth - 1);
  }
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object' || isObject(schema['properties'])) return depth > 0 ? objectFor(schema, root, depth - 1) : {};
  if (type === 'array') {
    const least = typeof schema['minItems'] === 'number' ? Math.min(schema['minItems'], 16) : 0;
    return Array.from({ length: depth > 0 ? least : 0 }, () => valueFor(schema['items'], root, depth - 1));
  }
  if (type === 'number' || type === 'integer') return ofNumber(schema);
  if (type === 'boolean') return false;
  return type === 'null' ? null : ofString(schema);
};

const objectFor = (schema: JsonObject, root: unknown, depth: number): JsonObject => {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.fromEntries(
    required
      .filter((name): name is string => typeof name === 'string')
      .map((name) => [name, valueFor(properties[name], root, depth)]),
  );
};

const MAX_DEPTH = 8;

/** The plainest arguments that the schema takes: what is required, and nothing else. */
export const exampleArguments = (schema: unknown): JsonObject => objectFor(resolve(schema, schema), schema, MAX_DEPTH);
