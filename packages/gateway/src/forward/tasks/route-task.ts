import type { McpCall } from '../../call/mcp-call.js';
import type { Route } from '../../call/route.js';
import { invalidParams, methodNotFound, missingCapability, type RpcRefusal } from '../../rpc/rpc-refusal.js';
import { followTask, type KnownTask } from './follow-task.js';
import { listTasks } from './list-tasks.js';
import type { TaskParts } from './task-request.js';
import { bindingOf, type TaskRecord } from './task-ledger.js';
import { taskTool } from './task-tool.js';
import { MODERN_TASKS, offersTasks, takesTasks } from '../../connection/task-support.js';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { toLegacyTask, withRelated } from './task-shape.js';

/** A task that the hub keeps itself: it was over before its client asked. */
const hostedTask = (method: string, { handle, last, outcome }: TaskRecord): JsonObject => {
  if (method === 'tasks/cancel') throw invalidParams('The task cannot be cancelled: it is completed.');
  if (method !== 'tasks/result') return { ...toLegacyTask(last), taskId: handle };
  return withRelated(outcome?.kind === 'result' && isJsonObject(outcome.result) ? outcome.result : {}, handle);
};

const METHODS = {
  legacy: new Set(['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']),
  modern: new Set(['tasks/get', 'tasks/update', 'tasks/cancel']),
} as const;

/** Also for a task of somebody else: whether there is one is not for this caller to know. */
const noSuchTask = (): RpcRefusal => invalidParams('The task is unknown or has expired.');

/** The task behind a handle; undefined when it was not given to this caller on this endpoint. */
export const findTask = ({ ledger }: TaskParts, call: McpCall, handle: unknown): KnownTask | undefined => {
  const address = typeof handle === 'string' ? ledger.open(handle, bindingOf(call)) : undefined;
  if (address === undefined) return undefined;
  const tool = taskTool(call, address);
  if (tool === undefined) throw noSuchTask();
  // A handle that was given out before the hub was restarted is as good as any.
  return { record: ledger.keep(call, { address, server: tool.server, last: {} }), tool };
};

/** Routes a request about a task by its handle; undefined for methods that are none of these. */
export const routeTask = (parts: TaskParts, call: McpCall): Route | undefined => {
  const { era, features } = call.client.revision;
  if (!METHODS[era].has(call.method) || (era === 'legacy' && !features.tasks)) return undefined;
  const { taskId } = call.params;
  const isGiven = typeof taskId === 'string' && parts.ledger.open(taskId, bindingOf(call)) !== undefined;
  if (!isGiven && !offersTasks(call.scope, parts.upstream, era)) throw methodNotFound(call.method);
  if (era === 'modern' && !takesTasks(call.client.capabilities)) throw missingCapability({ extensions: MODERN_TASKS });
  if (call.method === 'tasks/list') return { kind: 'own', answer: () => listTasks(parts, call) };
  const task = findTask(parts, call, taskId);
  if (task === undefined) throw noSuchTask();
  const { record } = task;
  if (record.hosted) return { kind: 'own', answer: () => hostedTask(call.method, record) };
  return {
    kind: 'upstream',
    server: task.tool.server,
    method: call.method,
    params: { ...call.params, taskId: record.address.taskId },
    followTask: (asked, route) => followTask(parts, asked, route, task),
  };
};
