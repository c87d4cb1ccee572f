import type { RequestHandler } from '@plugboard/client';
import type { ToolDefinition } from '@plugboard/contract';
import type { JsonObject, JsonRpcNotification } from '@plugboard/wire';
import type { McpCall } from '../call/mcp-call.js';
import type { UpstreamRoute } from '../route/route.js';
import type { ServerTool } from '../scope/offered-tool.js';
import { agentHeader } from '../upstream/agent-header.js';
import { type Lease, leaseLink } from '../upstream/lease-link.js';
import type { UpstreamCallOptions } from '../upstream/upstream-client.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';
import type { TaskLedger, TaskRecord } from './task-ledger.js';

export interface TaskParts {
  readonly upstream: UpstreamPool;
  readonly ledger: TaskLedger;
}

/** A task that a request is about, with the tool that began it. */
export interface RoutedTask {
  readonly record: TaskRecord;
  readonly tool: ServerTool;
}

/** A request about a task, with the connection that it goes out on. */
export interface TaskExchange {
  readonly call: McpCall;
  readonly route: UpstreamRoute;
  readonly record: TaskRecord;
  readonly tool: ServerTool;
  readonly lease: Lease;
  readonly ledger: TaskLedger;
}

interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs?: number | undefined;
  readonly onNotification?: ((notification: JsonRpcNotification) => void) | undefined;
  readonly onProgress?: UpstreamCallOptions['onProgress'];
  readonly onRequest?: RequestHandler | undefined;
  /** For tools/call: whether it may be repeated. */
  readonly tool?: ToolDefinition | undefined;
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
  { call, lease }: Pick<TaskExchange, 'call' | 'lease'>,
  method: string,
  params: JsonObject,
  options: AskOptions = {},
): Promise<unknown> =>
  lease.link.client.request(method, params, {
    signal: call.signal,
    caller: call.client.caller.principal,
    headers: agentHeader(call.client.caller.agent),
    allowInputRequired: true,
    pace: call.reply.drained,
    ...options,
  });
