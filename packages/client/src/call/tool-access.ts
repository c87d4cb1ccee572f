import type { ToolDefinition, ToolResult } from '@plugboard/contract';
import { isJsonObject, readParamHeaders, type JsonObject } from '@plugboard/wire';
import type { RequestOptions } from './request-options.js';
import { listObjects, unusable, type Requester } from './request-object.js';

export interface RejectedTool {
  readonly tool: string;
  readonly reason: string;
}

const isTool = (item: JsonObject): item is ToolDefinition => typeof item['name'] === 'string';

interface ListedTools {
  readonly tools: readonly ToolDefinition[];
  readonly rejected: readonly RejectedTool[];
  /** For how long the server said that the list is fresh; the shortest time of all pages. */
  readonly ttlMs: number | undefined;
  /** The metadata of all pages. */
  readonly meta: JsonObject;
}

/** All tools; those that the revision forbids to use over HTTP come apart, with the reason. */
export const listTools = async (
  requester: Requester,
  options: RequestOptions,
  mirrorsParams: () => boolean,
): Promise<ListedTools> => {
  let ttlMs: number | undefined;
  let meta: JsonObject = {};
  const noting: Requester = {
    request: async (...asked) => {
      const page = await requester.request(...asked);
      const told = isJsonObject(page) ? page['ttlMs'] : undefined;
      if (isJsonObject(page) && isJsonObject(page['_meta'])) meta = { ...meta, ...page['_meta'] };
      if (typeof told === 'number' && told >= 0) ttlMs = Math.min(told, ttlMs ?? told);
      return page;
    },
  };
  const items = await listObjects(noting, 'tools/list', 'tools', options);
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
  return { tools, rejected, ttlMs, meta };
};

/** Makes a result of `tools/call` usable that is not what the protocol says. */
export type RepairResult = (result: unknown) => unknown;

/** What the caller knows of a call beside its parameters. */
export interface ToolCallOptions extends RequestOptions {
  /** Without it, a malformed result is an error. */
  readonly repair?: RepairResult | undefined;
}

export const callTool = async (
  requester: Requester,
  params: { readonly name: string; readonly arguments: JsonObject },
  { repair, ...options }: ToolCallOptions,
): Promise<ToolResult> => {
  const given = await requester.request('tools/call', params, options);
  const result = repair === undefined ? given : repair(given);
  if (!isJsonObject(result)) throw unusable('tools/call', 'something that is not an object');
  const { content } = result;
  if (content !== undefined && !(Array.isArray(content) && content.every(isContent))) {
    throw unusable('tools/call', 'content that is not a list of content blocks');
  }
  return result;
};

const isContent = (item: unknown): boolean => isJsonObject(item) && typeof item['type'] === 'string';
