import type { McpCall } from '../../call/mcp-call.js';
import type { CallStep, NextStep } from '../../call/step.js';
import type { UpstreamRoute } from '../../call/route.js';
import { withoutMembers } from '../../rpc/members.js';
import { missingCapability, RpcRefusal } from '../../rpc/rpc-refusal.js';
import { RPC_CODE } from '@plugboard/wire';
import { leaseLink } from '../../connection/lease-link.js';
import {
  beginLegacyTask,
  beginModernTask,
  type Beginning,
  beginTaskForLegacy,
  beginTaskForModern,
} from './begin-task.js';
import type { TaskParts } from './task-request.js';
import { MODERN_TASKS, offersTasks, runsTasks, takesTasks, taskSupportOf } from '../../connection/task-support.js';

const TASK_PARAM: ReadonlySet<string> = new Set(['task']);

const noTask = (): RpcRefusal =>
  new RpcRefusal('METHOD_NOT_FOUND', {
    code: RPC_CODE.methodNotFound,
    message: 'This tool cannot run as a task.',
    data: { hint: 'Call it without "task".' },
  });

/** May this call become a task? Every other call is forwarded as usual. */
export const mayBecomeTask = ({ method, client, params, route }: McpCall): boolean => {
  if (method !== 'tools/call') return false;
  if (client.revision.era === 'legacy') return params['task'] !== undefined && client.revision.features.tasks;
  const tool = route?.kind === 'upstream' ? route.tool : undefined;
  return takesTasks(client.capabilities) || taskSupportOf(tool) === 'required';
};

const beginnerFor = (call: McpCall, { facts }: Beginning['lease']): ((beginning: Beginning) => Promise<unknown>) => {
  if (call.client.revision.era === facts.era) return facts.era === 'legacy' ? beginLegacyTask : beginModernTask;
  return facts.era === 'modern' ? beginTaskForLegacy : beginTaskForModern;
};

/** A retry with answers belongs to a call that was begun as no task. */
const isRetry = ({ params }: McpCall): boolean =>
  params['requestState'] !== undefined || params['inputResponses'] !== undefined;

/** Why this call is no task after all; undefined when it may be one. */
const plainly = (call: McpCall, { lease, tool, parts }: Beginning): 'plainly' | 'refuse' | undefined => {
  const { era } = call.client.revision;
  if (!runsTasks(lease.facts)) {
    return era === 'legacy' && offersTasks(call.scope, parts.upstream, era) ? 'refuse' : 'plainly';
  }
  if (era === 'legacy' || lease.facts.era === 'modern') return undefined;
  return isRetry(call) || taskSupportOf(tool) === 'forbidden' ? 'plainly' : undefined;
};

const begin = async (parts: TaskParts, call: McpCall, route: UpstreamRoute, next: NextStep): Promise<unknown> => {
  if (route.tool?.kind !== 'server') return next(call);
  const lease = await leaseLink(parts.upstream, route.server, call, call.signal);
  const beginning = { parts, call, route, lease, tool: route.tool };
  try {
    const instead = plainly(call, beginning);
    if (instead === 'refuse') throw noTask();
    if (instead === undefined) {
      const missing = call.client.revision.era === 'modern' && !takesTasks(call.client.capabilities);
      if (missing && lease.facts.era === 'legacy') throw missingCapability({ extensions: MODERN_TASKS });
      if (!missing) {
        call.notes?.flow?.decide('run as a task');
        return await beginnerFor(call, lease)(beginning);
      }
    }
  } finally {
    lease.letGo();
  }
  const params = call.client.revision.era === 'legacy' ? withoutMembers(route.params, TASK_PARAM) : route.params;
  return next({ ...call, route: { ...route, params } });
};

/** Calls that become tasks, and requests about tasks. */
export const serveTasks =
  (parts: TaskParts): CallStep =>
  (call, next) => {
    const { route } = call;
    if (route?.kind !== 'upstream') return next(call);
    if (route.followTask !== undefined) return route.followTask(call, route);
    return mayBecomeTask(call) ? begin(parts, call, route, next) : next(call);
  };
