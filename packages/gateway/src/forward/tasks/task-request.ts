import type { RequestOptions } from '@plugboard/client';
import type { JsonObject } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';
import type { UpstreamRoute } from '../../call/route.js';
import type { ServerTool } from '../../call/offered-tool.js';
import { agentHeader } from '../../connection/agent-header.js';
import { type Lease, leaseLink } from '../../connection/lease-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import type { TaskLedger, TaskRecord } from './task-ledger.js';

export interface TaskParts {
  readonly upstream: UpstreamPool;
  readonly ledger: TaskLedger;
}

/** A request about a task, with the connection that it goes out on. */
export interface TaskRequest {
  readonly call: McpCall;
  readonly route: UpstreamRoute;
  readonly record: TaskRecord;
  readonly tool: ServerTool;
  readonly lease: Lease;
  readonly ledger: TaskLedger;
}

/** How long somebody may wait for the result of a task: as long as for any call that shows progress. */
export const RESULT_MS = 3_600_000;

/** The connection on which the server knows the task. */
export const leaseTask = async ({ upstream }: TaskParts, call: McpCall, record: TaskRecord): Promise<Lease> => {
  const { link, server } = record;
  if (link === undefined || upstream.find(server.id, link.identity.key) !== link) {
    return leaseLink(upstream, server, call, call.signal);
  }
  const letGo = link.hold();
  try {
    return { link, facts: await link.ready(call.signal), letGo };
  } catch (thrown) {
    letGo();
    throw thrown;
  }
};

/** Asks the server about the task. */
export const askServer = (
  { call, lease }: Pick<TaskRequest, 'call' | 'lease'>,
  method: string,
  params: JsonObject,
  options: RequestOptions = {},
): Promise<unknown> =>
  lease.link.client.request(method, params, {
    signal: call.signal,
    caller: call.client.caller.principal,
    headers: agentHeader(call.client.caller.agent),
    allowInputRequired: true,
    pace: call.reply.drained,
    ...options,
  });
