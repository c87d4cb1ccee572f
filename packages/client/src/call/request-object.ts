import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';
import type { RequestOptions } from './request-options.js';
import { listPages } from './list-pages.js';

/** Whatever sends raw requests. */
export interface Requester {
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
}

/** The server answered, but not with what the method gives. */
export const unusable = (method: string, what: string): McpProtocolError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', `The server answered ${method} with ${what}.`, { delivery: 'answered' });

export const requestObject = async (
  requester: Requester,
  method: string,
  params: JsonObject,
  options: RequestOptions,
): Promise<JsonObject> => {
  const result = await requester.request(method, params, options);
  if (!isJsonObject(result)) throw unusable(method, 'something that is not an object');
  return result;
};

export const listObjects = async (
  requester: Requester,
  method: string,
  member: string,
  options: RequestOptions,
): Promise<readonly JsonObject[]> => {
  const items = await listPages(method, member, (params) => requester.request(method, params, options));
  return items.filter((item): item is JsonObject => isJsonObject(item));
};
