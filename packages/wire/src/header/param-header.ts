import { isJsonObject, type JsonObject } from '@plugboard/base';
import { encodeHeaderValue } from './header-value.js';

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
const MAX_DEPTH = 256;

/** A tool parameter that is mirrored into `Mcp-Param-<name>`. */
export interface ParamHeader {
  readonly name: string;
  /** Property names from the root of the arguments to the value. */
  readonly path: readonly string[];
}

export type ParamHeaders =
  | { readonly valid: true; readonly headers: readonly ParamHeader[] }
  | { readonly valid: false; readonly reason: string };

class InvalidAnnotation extends Error {}

const readAnnotation = (schema: JsonObject, path: readonly string[]): ParamHeader => {
  const name = schema[ANNOTATION];
  const where = path.join('.');
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    throw new InvalidAnnotation(`${ANNOTATION} of "${where}" is not a header name`);
  }
  if (!TYPES.has(schema['type'])) {
    throw new InvalidAnnotation(`${ANNOTATION} of "${where}" is used on a type other than string, integer or boolean`);
  }
  return { name, path };
};

const refuseAnnotations = (value: unknown, depth: number): void => {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw new InvalidAnnotation('the schema is nested too deeply');
  if (Object.hasOwn(value, ANNOTATION)) {
    throw new InvalidAnnotation(`${ANNOTATION} stands where it is not reachable through "properties" alone`);
  }
  for (const child of Object.values(value)) {
    refuseAnnotations(child, depth + 1);
  }
};

// Values, not schemas: an example or default may contain anything.
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples', ANNOTATION]);

const collect = (schema: JsonObject, path: readonly string[], found: ParamHeader[]): void => {
  if (path.length > MAX_DEPTH) throw new InvalidAnnotation('the schema is nested too deeply');
  if (Object.hasOwn(schema, ANNOTATION)) {
    if (path.length === 0) throw new InvalidAnnotation(`${ANNOTATION} stands on the root`);
    found.push(readAnnotation(schema, path));
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' && isJsonObject(value)) {
      for (const [name, property] of Object.entries(value)) {
        if (isJsonObject(property)) collect(property, [...path, name], found);
      }
    } else if (!DATA_KEYWORDS.has(keyword)) {
      refuseAnnotations(value, path.length);
    }
  }
};

const findDuplicate = (headers: readonly ParamHeader[]): string | undefined => {
  const seen = new Set<string>();
  return headers.find(({ name }) => {
    const key = name.toLowerCase();
    const known = seen.has(key);
    seen.add(key);
    return known;
  })?.name;
};

/** The `x-mcp-header` annotations of a tool's input schema, or why they make the tool unusable over HTTP. */
export const readParamHeaders = (inputSchema: unknown): ParamHeaders => {
  const headers: ParamHeader[] = [];
  try {
    if (isJsonObject(inputSchema)) collect(inputSchema, [], headers);
  } catch (thrown) {
    if (thrown instanceof InvalidAnnotation) return { valid: false, reason: thrown.message };
    throw thrown;
  }
  const duplicate = findDuplicate(headers);
  return duplicate === undefined
    ? { valid: true, headers }
    : { valid: false, reason: `${ANNOTATION} "${duplicate}" is used twice` };
};

const valueAt = (root: unknown, path: readonly string[]): unknown => {
  let value = root;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
};

/** The `Mcp-Param-*` fields of one call. Absent and null values give no field. */
export const encodeParamHeaders = (
  headers: readonly ParamHeader[],
  callArguments: unknown,
): Readonly<Record<string, string>> => {
  const fields: Record<string, string> = {};
  for (const { name, path } of headers) {
    const value = valueAt(callArguments, path);
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)) {
      fields[`Mcp-Param-${name}`] = encodeHeaderValue(String(value));
    }
  }
  return fields;
};
