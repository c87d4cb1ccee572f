import { isObject, show, type JsonObject } from '../../connection/json.js';

/** A property that is to be mirrored into a header, and where it stands. */
export interface DeclaredHeader {
  readonly header: unknown;
  readonly schema: JsonObject;
  readonly path: readonly string[];
  /** Whether only `properties` lead to it. */
  readonly reachable: boolean;
}

const walk = (value: unknown, path: readonly string[], reachable: boolean): readonly DeclaredHeader[] => {
  if (Array.isArray(value)) return value.flatMap((item, index) => walk(item, [...path, String(index)], false));
  if (!isObject(value)) return [];
  const own = 'x-mcp-header' in value ? [{ header: value['x-mcp-header'], schema: value, path, reachable }] : [];
  const inner = Object.entries(value).flatMap(([key, part]) => {
    if (key === 'properties' && isObject(part)) {
      return Object.entries(part).flatMap(([name, property]) => walk(property, [...path, name], reachable));
    }
    return isObject(part) || Array.isArray(part) ? walk(part, [...path, key], false) : [];
  });
  return [...own, ...inner];
};

export const declaredHeaders = (schema: unknown): readonly DeclaredHeader[] => walk(schema, [], true);

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;
const PRIMITIVE = new Set<unknown>(['string', 'integer', 'boolean']);

/** What is wrong with the headers that a schema declares. */
export const headerFlaws = (schema: unknown): readonly string[] => {
  const declared = declaredHeaders(schema);
  const names = declared.map(({ header }) => String(header).toLowerCase());
  return declared.flatMap(({ header, schema: part, path, reachable }, index) => {
    const where = path.join('.');
    if (typeof header !== 'string' || !TOKEN.test(header)) return [`${where} has the header name ${show(header)}`];
    if (names.indexOf(header.toLowerCase()) !== index) return [`${where} has the same header name as another`];
    if (!PRIMITIVE.has(part['type'])) return [`${where} is of the type ${show(part['type'])}`];
    return reachable ? [] : [`${where} is not reached by properties alone`];
  });
};
