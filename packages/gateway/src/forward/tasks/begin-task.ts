import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { toLegacyParams, withModernEnvelope, withoutModernEnvelope } from '../../rpc/era-members.js';
import { toLegacyError, toModernError } from '../bridge/error-code.js';
import { modernRounds } from '../bridge/legacy-to-modern.js';
import type { McpCall } from '../../call/mcp-call.js';
import type { LeasedCall } from '../relay/leased-call.js';
import { askThrough } from '../../call/ask-client.js';
import { progressRelay } from '../relay/progress-token.js';
import { relayLegacy } from '../relay/relay-legacy.js';
import { relayModern } from '../relay/relay-modern.js';
import { objectAt, textAt, withoutMembers } from '../../rpc/members.js';
import { readRaw } from '../../rpc/raw-json.js';
import type { ServerTool } from '../../call/offered-tool.js';
import { legacyOutcome, taskMeta } from './modern-task-for-legacy.js';
import { askAboutTask, renameNotification, toHandle } from './relay-task.js';
import { answerForTasks } from './session-tasks.js';
import { askServer, type TaskParts } from './task-request.js';
import { bindingOf, type TaskRecord } from './task-ledger.js';
import { TaskProgress } from './task-progress.js';
import { RELATED_TASK, renameTasks, toLegacyTask, toModernTask } from './task-shape.js';

/** A call of a tool that may become a task, on an open connection. */
export interface Beginning extends LeasedCall {
  readonly parts: TaskParts;
  readonly tool: ServerTool;
}

const TASK_PARAM: ReadonlySet<string> = new Set(['task']);

const keep = ({ parts, call, tool, lease }: Beginning, task: JsonObject, over?: AbortController): TaskRecord => {
  const isLegacy = lease.facts.era === 'legacy';
  if (isLegacy) answerForTasks(parts.ledger, lease.link);
  return parts.ledger.keep(call, {
    address: { serverId: tool.server.id, taskId: String(task['taskId']), tool: tool.name },
    server: tool.server,
    last: task,
    // Servers of the modern era know their tasks on any connection.
    link: isLegacy ? lease.link : undefined,
    over,
  });
};

/** Speaks to the client in its own ids, also before the hub has heard of the task itself. */
const translated = ({ parts, call, tool }: Beginning): McpCall => {
  const handleOf = (taskId: string): string =>
    parts.ledger.handleOf({ serverId: tool.server.id, taskId, tool: tool.name }, bindingOf(call));
  const { reply } = call;
  const related = (params: unknown): string =>
    textAt(objectAt(objectAt(isJsonObject(params) ? params : {}, '_meta'), RELATED_TASK), 'taskId') ?? '';
  return {
    ...call,
    reply: {
      notify: (notification) => reply.notify(renameNotification(notification, handleOf)),
      drained: reply.drained,
      ask:
        reply.ask &&
        (async (method, params, signal) => {
          const taskId = related(params);
          const address = { serverId: tool.server.id, taskId, tool: tool.name };
          return askAboutTask(askThrough(reply), { address, handle: handleOf(taskId) })({ method, params, signal });
        }),
    },
  };
};

/** Legacy client, legacy server. */
export const beginLegacyTask = async (beginning: Beginning): Promise<unknown> => {
  const call = translated(beginning);
  const progress = new TaskProgress(call.reply);
  try {
    const result = readRaw(await relayLegacy({ ...beginning, call }, progress));
    if (!isJsonObject(result) || !isJsonObject(result['task'])) return result;
    const record = keep(beginning, result['task'], progress.over);
    progress.follow(record);
    return renameTasks(result, toHandle(record));
  } finally {
    progress.endUnlessFollowed();
  }
};

/** Modern client, modern server: the server decides whether it becomes a task. */
export const beginModernTask = async (beginning: Beginning): Promise<unknown> => {
  const result = readRaw(await relayModern(beginning));
  if (!isJsonObject(result) || result['resultType'] !== 'task') return result;
  return { ...result, taskId: keep(beginning, result).handle };
};

/** A modern server that answered at once although a legacy client asked for a task: the hub keeps the answer for it. */
const hosted = ({ parts, call, tool }: Beginning, result: JsonObject): JsonObject => {
  const now = new Date().toISOString();
  const ttl = objectAt(call.params, 'task')['ttl'];
  const task = {
    taskId: randomUUID(),
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: typeof ttl === 'number' ? ttl : null,
  };
  const record = parts.ledger.keep(call, {
    address: { serverId: tool.server.id, taskId: task.taskId, tool: tool.name },
    server: tool.server,
    last: { ...task, status: 'completed', result },
    outcome: { kind: 'result', result: legacyOutcome(result, tool) },
  });
  return { task: { ...toLegacyTask(task), taskId: record.handle } };
};

/** Legacy client, modern server. */
export const beginTaskForLegacy = async (beginning: Beginning): Promise<unknown> => {
  const { call, route } = beginning;
  const plain = { ...route, params: withoutMembers(route.params, TASK_PARAM) };
  try {
    const result = await modernRounds({ ...beginning, route: plain }, taskMeta(call));
    if (!isJsonObject(result)) return result;
    if (result['resultType'] !== 'task') return hosted(beginning, result);
    const { handle } = keep(beginning, result);
    const { _meta: meta } = withoutModernEnvelope(result);
    return { task: { ...toLegacyTask(result), taskId: handle }, ...(meta === undefined ? {} : { _meta: meta }) };
  } catch (thrown) {
    throw toLegacyError(route.method, thrown);
  }
};

/** Modern client, legacy server: here the hub decides, by what the server says of the tool. */
export const beginTaskForModern = async (beginning: Beginning): Promise<unknown> => {
  const { call, route, tool, lease } = beginning;
  const { serverInfo } = lease.facts;
  try {
    const params = { ...toLegacyParams(route.params), task: {} };
    const onProgress = progressRelay(call.params, () => call.reply);
    const result = await askServer(beginning, route.method, params, { tool: tool.upstreamDefinition, onProgress });
    if (!isJsonObject(result)) return result;
    const { task } = result;
    if (!isJsonObject(task)) return withModernEnvelope(route.method, result, { serverInfo });
    const shown = { resultType: 'task', ...toModernTask(task), taskId: keep(beginning, task).handle };
    const { _meta: meta } = result;
    return withModernEnvelope(route.method, meta === undefined ? shown : { ...shown, _meta: meta }, { serverInfo });
  } catch (thrown) {
    throw toModernError(thrown);
  }
};
