import { isJsonObject, type JsonObject } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';
import { textAt } from '../../rpc/members.js';
import { invalidParams } from '../../rpc/rpc-refusal.js';
import { taskMeta } from './modern-task-for-legacy.js';
import { askServer, leaseTask, type TaskParts } from './task-request.js';
import { bindingOf, type TaskRecord } from './task-ledger.js';
import { isOver, toLegacyTask } from './task-shape.js';
import { taskTool } from './task-tool.js';

const PAGE = 50;
const LOOK_MS = 5000;

/** The task as its server sees it now; as last known when the server cannot be asked. */
const look = async (parts: TaskParts, call: McpCall, record: TaskRecord): Promise<JsonObject> => {
  if (record.hosted || isOver(record.last)) return record.last;
  const lease = await leaseTask(parts, call, record);
  try {
    const { taskId } = record.address;
    const params = lease.facts.era === 'modern' ? { taskId, _meta: taskMeta(call) } : { taskId };
    const task = await askServer({ call, lease }, 'tasks/get', params, { deadlineMs: LOOK_MS });
    parts.ledger.note(record, task);
    return isJsonObject(task) ? task : record.last;
  } finally {
    lease.letGo();
  }
};

const shown = (task: JsonObject, { handle, cancelled }: TaskRecord): JsonObject => ({
  ...('ttl' in task ? task : toLegacyTask(task)),
  taskId: handle,
  ...(cancelled ? { status: 'cancelled' } : {}),
});

const positionOf = (cursor: string | undefined, count: number): number => {
  if (cursor === undefined) return 0;
  const position = Number(cursor);
  if (/^\d{1,6}$/u.test(cursor) && position <= count) return position;
  throw invalidParams('The cursor was not issued by this endpoint.');
};

/**
 * tasks/list: what this caller began on this endpoint, whatever the eras of the servers. Tasks of others never show, nor
 * those of tools that were taken away from this caller.
 */
export const listTasks = async (parts: TaskParts, call: McpCall): Promise<JsonObject> => {
  const mine = parts.ledger.of(bindingOf(call));
  const records = mine.filter(({ address }) => taskTool(call, address) !== undefined);
  const from = positionOf(textAt(call.params, 'cursor'), records.length);
  const page = records.slice(from, from + PAGE);
  const tasks = await Promise.all(
    page.map(async (record) => shown(await look(parts, call, record).catch(() => record.last), record)),
  );
  const next = from + PAGE;
  return {
    tasks: tasks.filter(({ status }) => status !== undefined),
    ...(next < records.length ? { nextCursor: String(next) } : {}),
  };
};
