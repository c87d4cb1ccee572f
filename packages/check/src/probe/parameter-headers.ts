import { isObject, type JsonObject } from '../connection/json.js';
import { headerValue } from '../session/http-headers.js';

/** The `Mcp-Param-…` headers that a schema asks for, with the values of these arguments. */
export const parameterHeaders = (schema: unknown, args: JsonObject): Readonly<Record<string, string>> => {
  if (!isObject(schema) || !isObject(schema['properties'])) return {};
  const headers: Record<string, string> = {};
  for (const [name, part] of Object.entries(schema['properties'])) {
    if (!isObject(part)) continue;
    const value = args[name];
    const header = part['x-mcp-header'];
    if (typeof header === 'string' && value !== undefined && value !== null) {
      headers[`mcp-param-${header}`] = headerValue(typeof value === 'string' ? value : JSON.stringify(value));
    }
    if (isObject(value)) Object.assign(headers, parameterHeaders(part, value));
  }
  return headers;
};
