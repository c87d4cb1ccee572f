import { isJsonObject } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';
import { invalidParams } from '../../rpc/rpc-refusal.js';
import type { Route } from '../../call/route.js';

/** tools/call, by the name that the endpoint uses. */
export const routeToolCall = (call: McpCall): Route => {
  const { name, arguments: args } = call.params;
  if (typeof name !== 'string') throw invalidParams('tools/call needs "name", a string.');
  if (args !== undefined && !isJsonObject(args)) throw invalidParams('tools/call takes "arguments" as an object.');
  const tool = call.scope.findTool(name);
  if (tool.kind === 'local') return { kind: 'local-tool', tool, run: () => tool.run(args ?? {}, call) };
  const upstreamName = tool.tool.upstream_name;
  const mapped = tool.mapArguments === undefined ? args : tool.mapArguments(args ?? {});
  const same = upstreamName === name && mapped === args;
  const params = same
    ? call.params
    : { ...call.params, name: upstreamName, ...(mapped === undefined ? {} : { arguments: mapped }) };
  return { kind: 'upstream', server: tool.server, method: call.method, params, tool };
};
