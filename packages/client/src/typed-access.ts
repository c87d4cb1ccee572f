import type { ToolDefinition, ToolResult } from '@plugboard/contract';
import { isJsonObject, readParamHeaders, type JsonObject } from '@plugboard/wire';
import { McpProtocolError } from './error/error-family.js';
import type { RequestOptions } from './request-options.js';
import { listPages } from './session/list-pages.js';

/** Whatever sends raw requests. */
export interface Requester {
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
}

export interface CompletionParams extends JsonObject {
  readonly ref: JsonObject;
  readonly argument: { readonly name: string; readonly value: string };
}

export interface RejectedTool {
  readonly tool: string;
  readonly reason: string;
}

const unusable = (method: string, what: string): McpProtocolError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', `The server answered ${method} with ${what}.`, { delivery: 'answered' });

export const requestObject = async (
  requester: Requester,
  method: string,
  params: JsonObject,
  options: RequestOptions,
): Promise<JsonObject> => {
  const result = await requester.request(method, params, options);
  if (!isJsonObject(result)) {
    throw unusable(method, 'something that is not an object');
  }
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

const isTool = (item: JsonObject): item is ToolDefinition => typeof item['name'] === 'string';

/** All tools; those that the revision forbids to use over HTTP come apart, with the reason. */
export const listTools = async (
  requester: Requester,
  options: RequestOptions,
  mirrorsParams: () => boolean,
): Promise<{ readonly tools: readonly ToolDefinition[]; readonly rejected: readonly RejectedTool[] }> => {
  const items = await listObjects(requester, 'tools/list', 'tools', options);
  const tools: ToolDefinition[] = [];
  const rejected: RejectedTool[] = [];
  for (const tool of items.filter(isTool)) {
    const headers = mirrorsParams() ? readParamHeaders(tool.inputSchema) : undefined;
    if (headers?.valid === false) {
      rejected.push({ tool: tool.name, reason: headers.reason });
    } else {
      tools.push(tool);
    }
  }
  return { tools, rejected };
};

export const callTool = async (
  requester: Requester,
  params: { readonly name: string; readonly arguments: JsonObject },
  options: RequestOptions,
): Promise<ToolResult> => {
  const result = await requestObject(requester, 'tools/call', params, options);
  const { content } = result;
  if (content !== undefined && !(Array.isArray(content) && content.every(isContent))) {
    throw unusable('tools/call', 'content that is not a list of content blocks');
  }
  return result;
};

const isContent = (item: unknown): boolean => isJsonObject(item) && typeof item['type'] === 'string';
