import { META } from '../json-rpc/meta-key.js';
import { isObject, type JsonObject, type JsonRpcRequest } from '../json-rpc/message.js';
import { HEADER_MISMATCH, RpcError } from '../json-rpc/rpc-error.js';
import type { Offer } from '../state/offer.js';
import { requestMeta } from './modern-envelope.js';

type Headers = Readonly<Record<string, string>>;

const SENTINEL = /^=\?base64\?(.*)\?=$/s;
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The value that a header carries; undefined when it claims to be base64 and is not. */
export const decodeHeader = (value: string): string | undefined => {
  const encoded = SENTINEL.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
};

const mismatch = (header: string, given: string | undefined, expected: unknown): RpcError =>
  new RpcError(
    HEADER_MISMATCH,
    given === undefined
      ? `Header mismatch: the ${header} header is missing`
      : `Header mismatch: ${header} is '${given}' but the body says '${String(expected)}'`,
    { httpStatus: 400 },
  );

/** Each `x-mcp-header` of the schema with the value that stands at its path in the arguments. */
const annotated = (schema: unknown, value: unknown): readonly (readonly [string, unknown])[] => {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  return Object.entries(schema['properties']).flatMap(([name, part]) => {
    if (!isObject(part)) return [];
    const here = isObject(value) ? value[name] : undefined;
    const header = part['x-mcp-header'];
    return [...(typeof header === 'string' ? [[header, here] as const] : []), ...annotated(part, here)];
  });
};

const sameValue = (given: string | undefined, expected: unknown): boolean =>
  typeof expected === 'number' ? Number(given) === expected : given === String(expected);

const checkParameters = (headers: Headers, schema: unknown, args: JsonObject): void => {
  for (const [name, value] of annotated(schema, args)) {
    const header = `Mcp-Param-${name}`;
    const given = headers[header.toLowerCase()];
    if (value === undefined || value === null) {
      if (given !== undefined) throw mismatch(header, given, value);
    } else if (given === undefined || !sameValue(decodeHeader(given), value)) {
      throw mismatch(header, given, value);
    }
  }
};

export const checkVersionHeader = (request: JsonRpcRequest, headers: Headers): void => {
  const version = requestMeta(request)[META.protocolVersion];
  const given = headers['mcp-protocol-version'];
  if (given === undefined || (version !== undefined && given !== version)) {
    throw mismatch('MCP-Protocol-Version', given, version);
  }
};

/** The headers that mirror the body of a modern request. */
export const checkHeaders = (request: JsonRpcRequest, headers: Headers, offer: Offer): void => {
  const params = request.params ?? {};
  if (headers['mcp-method'] !== request.method) throw mismatch('Mcp-Method', headers['mcp-method'], request.method);
  const source = NAMED[request.method];
  if (source !== undefined) {
    const given = headers['mcp-name'];
    if (given === undefined || decodeHeader(given) !== params[source]) {
      throw mismatch('Mcp-Name', given, params[source]);
    }
  }
  if (request.method === 'tools/call') {
    const args = isObject(params['arguments']) ? params['arguments'] : {};
    checkParameters(headers, offer.tool(params['name'])?.inputSchema, args);
  }
};
