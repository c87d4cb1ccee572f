import { isObject, type JsonObject } from '../connection/json.js';
import { META } from './meta.js';

type Headers = Readonly<Record<string, string>>;

const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

const PLAIN = /^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/u;

/** A value as a header can carry it. */
export const headerValue = (value: string): string =>
  PLAIN.test(value) && !/^=\?base64\?.*\?=$/u.test(value)
    ? value
    : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;

/** The headers that mirror a message of the modern era. */
export const mirroredHeaders = (message: JsonObject): Headers => {
  const method = typeof message['method'] === 'string' ? message['method'] : '';
  const params = isObject(message['params']) ? message['params'] : {};
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const version = meta[META.protocolVersion];
  const source = NAMED[method];
  const name = source === undefined ? undefined : params[source];
  return {
    ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    ...(method === '' ? {} : { 'mcp-method': method }),
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  };
};

/** Headers with changes applied; null takes one away. */
export const changedHeaders = (
  headers: Headers,
  ...changes: readonly (Readonly<Record<string, string | null>> | undefined)[]
): Headers => {
  const merged: Record<string, string> = { ...headers };
  for (const [name, value] of changes.flatMap((change) => Object.entries(change ?? {}))) {
    const key = name.toLowerCase();
    for (const known of Object.keys(merged)) if (known.toLowerCase() === key) delete merged[known];
    if (value !== null) merged[name] = value;
  }
  return merged;
};

export const BASE_HEADERS: Headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
