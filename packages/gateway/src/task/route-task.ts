import { PlugboardError } from '@plugboard/contract';
import type { McpCall } from '../call/mcp-call.js';
import type { Route } from '../route/route.js';
import { invalidParams, methodNotFound, missingCapability, type RpcRefusal } from '../rpc/rpc-refusal.js';
import type { ServerTool } from '../scope/offered-tool.js';
import { hostedTask } from './hosted-task.js';
import { listTasks } from './list-tasks.js';
import type { TaskParts } from './task-exchange.js';
import type { TaskAddress } from './task-handle.js';
import { bindingOf, type TaskRecord } from './task-ledger.js';
import { MODERN_TASKS, offersTasks, takesTasks } from './task-support.js';

const METHODS = {
  legacy: new Set(['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']),
  modern: new Set(['tasks/get', 'tasks/update', 'tasks/cancel']),
} as const;

/** Also for a task of somebody else: whether there is one is not for this caller to know. */
const noSuchTask = (): RpcRefusal => invalidParams('There is no such task here: it is unknown or has expired.');

const toolOf = (call: McpCall, { serverId, tool }: TaskAddress): ServerTool => {
  try {
    const found = call.scope.findTool(tool);
    if (found.kind === 'server' && found.server.id === serverId) return found;
  } catch (thrown) {
    if (!(thrown instanceof PlugboardError) || thrown.code !== 'TOOL_NOT_FOUND') throw thrown;
  }
  throw noSuchTask();
};

const recordOf = ({ ledger }: TaskParts, call: McpCall, address: TaskAddress, tool: ServerTool): TaskRecord =>
  // A handle that was given out before the hub was restarted is as good as any.
  ledger.keep(call, { address, server: tool.server, last: {} });

/** Routes a request about a task by its handle; undefined for methods that are none of these. */
export const routeTask = (parts: TaskParts, call: McpCall): Route | undefined => {
  const { era, id } = call.client.revision;
  if (!METHODS[era].has(call.method) || (era === 'legacy' && id < '2025-11-25')) return undefined;
  const { taskId } = call.params;
  const binding = bindingOf(call);
  const address = typeof taskId === 'string' ? parts.ledger.open(taskId, binding) : undefined;
  if (address === undefined && !offersTasks(call.scope, parts.upstream, era)) throw methodNotFound(call.method);
  if (era === 'modern' && !takesTasks(call.client.capabilities)) throw missingCapability({ extensions: MODERN_TASKS });
  if (call.method === 'tasks/list') return { kind: 'own', answer: () => listTasks(parts, call) };
  if (address === undefined) throw noSuchTask();
  const tool = toolOf(call, address);
  const record = recordOf(parts, call, address, tool);
  if (record.hosted) return { kind: 'own', answer: () => hostedTask(call.method, record) };
  return {
    kind: 'upstream',
    server: tool.server,
    method: call.method,
    params: { ...call.params, taskId: address.taskId },
    task: { record, tool },
  };
};
