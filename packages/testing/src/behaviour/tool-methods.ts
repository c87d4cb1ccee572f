import type { FakeTool, ToolAnswer } from '../definition/tool.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError } from '../json-rpc/rpc-error.js';
import { textResult } from '../stock/argument.js';
import type { Method, MethodTable } from './method.js';
import { page } from './page.js';

const listed = (tool: FakeTool): JsonObject => ({
  name: tool.name,
  ...(tool.title === undefined ? {} : { title: tool.title }),
  ...(tool.description === undefined ? {} : { description: tool.description }),
  inputSchema: 'inputSchema' in tool ? tool.inputSchema : { type: 'object' },
  ...('outputSchema' in tool ? { outputSchema: tool.outputSchema } : {}),
  ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
  ...(tool._meta === undefined ? {} : { _meta: tool._meta }),
  ...tool.extra,
});

const asResult = (answer: ToolAnswer): JsonObject => (typeof answer === 'string' ? textResult(answer) : answer);

const missingArgument = (tool: FakeTool, args: JsonObject): string | undefined => {
  const required = isObject(tool.inputSchema) ? tool.inputSchema['required'] : undefined;
  if (!Array.isArray(required)) return undefined;
  return required.find((name): name is string => typeof name === 'string' && !(name in args));
};

const list: Method = (params, { world }) =>
  page('tools', world.offer.tools.map(listed), { cursor: params['cursor'], pageSize: world.options.pageSize });

const call: Method = async (params, { world, call: callOf }) => {
  const tool = world.offer.tool(params['name']);
  if (tool === undefined) throw new RpcError(INVALID_PARAMS, `Unknown tool: ${String(params['name'])}`);
  const args = isObject(params['arguments']) ? params['arguments'] : {};
  const missing = missingArgument(tool, args);
  if (missing !== undefined) return { ...textResult(`Missing required argument: ${missing}`), isError: true };
  world.counters.countExecution(tool.name);
  if (typeof tool.handler === 'function') return asResult(await tool.handler(args, callOf(tool.settings)));
  return asResult(tool.result ?? '');
};

export const toolMethods: MethodTable = { 'tools/list': list, 'tools/call': call };
