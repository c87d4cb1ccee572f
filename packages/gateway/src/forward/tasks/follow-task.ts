import type { McpCall } from '../../call/mcp-call.js';
import type { UpstreamRoute } from '../../call/route.js';
import { legacyTaskForModern } from './legacy-task-for-modern.js';
import { modernTaskForLegacy } from './modern-task-for-legacy.js';
import { relayTask } from './relay-task.js';
import { leaseTask, type TaskParts, type TaskRequest } from './task-request.js';

/** A task that a request is about, with the tool that began it. */
export type KnownTask = Pick<TaskRequest, 'record' | 'tool'>;

/** Asks the server about a task: relayed when both sides speak the same era, bridged when they do not. */
export const followTask = async (
  parts: TaskParts,
  call: McpCall,
  route: UpstreamRoute,
  task: KnownTask,
): Promise<unknown> => {
  const lease = await leaseTask(parts, call, task.record);
  const request: TaskRequest = { call, route, ...task, lease, ledger: parts.ledger };
  try {
    if (call.client.revision.era === lease.facts.era) return await relayTask(request);
    return await (lease.facts.era === 'modern' ? modernTaskForLegacy(request) : legacyTaskForModern(request));
  } finally {
    lease.letGo();
  }
};
