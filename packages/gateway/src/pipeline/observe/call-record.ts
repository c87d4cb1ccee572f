import { type ErrorCode, toPlugboardError } from '@plugboard/contract';
import type { CallFlow } from '../../call/call-flow.js';
import type { CallPhases } from '../../call/call-times.js';
import type { McpCall } from '../../call/mcp-call.js';

/** How a request ended: with a result, with a result that says isError, or with a coded failure. */
export type CallOutcome = 'ok' | 'tool_error' | ErrorCode;

/** One finished request, as everybody who counts or writes it down sees it. */
export interface CallRecord {
  readonly method: string;
  readonly scope: string;
  readonly principal: string;
  /** The agent that the call was made for. */
  readonly agent?: string | undefined;
  readonly era: string;
  /** The name of the server that it went to. */
  readonly server: string | undefined;
  /** The server's own name of the tool, for tools/call. */
  readonly tool: string | undefined;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
  readonly traceId: string | undefined;
  /** The parts of its duration; unknown on the fast path, and where the hub answered itself. */
  readonly phases?: CallPhases | undefined;
  /** The arguments of a tools/call as the client sent them; redact them before recording them. */
  readonly args: unknown;
  /** What happened to it on its way, while somebody follows requests. */
  readonly flow?: CallFlow | undefined;
  /** The result of a tools/call, when results are kept; redact it before recording it. */
  readonly result?: unknown;
}

export type CallSink = (record: CallRecord) => void;

/** Methods that have figures of their own; a client may send any text as a method. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/cancel',
  'tasks/update',
]);

const methodLabel = (method: string): string => (KNOWN_METHODS.has(method) ? method : 'other');

/** A stream that stays open says nothing about how fast anything is. */
export const isLongLived = (method: string): boolean => method === 'subscriptions/listen';

export const outcomeOfResult = (result: unknown): CallOutcome =>
  typeof result === 'object' && result !== null && (result as { readonly isError?: unknown }).isError === true
    ? 'tool_error'
    : 'ok';

export const outcomeOfFailure = (thrown: unknown, call: McpCall): CallOutcome =>
  call.signal.aborted ? 'CANCELLED' : toPlugboardError(thrown).code;

export interface Ending {
  readonly outcome: CallOutcome;
  readonly durationMs: number;
  readonly traceId: string | undefined;
  readonly phases?: CallPhases | undefined;
  readonly result?: unknown;
}

export const recordOf = (call: McpCall, ending: Ending): CallRecord => {
  const route = call.notes?.route;
  const tool = route?.kind === 'own' ? undefined : route?.tool;
  return {
    method: methodLabel(call.method),
    scope: call.scope.id,
    principal: call.client.caller.principal,
    agent: call.client.caller.agent,
    era: call.client.revision.era,
    server: route?.kind === 'upstream' ? route.server.server_name : undefined,
    tool: tool?.kind === 'server' ? tool.tool.upstream_name : tool?.name,
    args: call.params['arguments'],
    flow: call.notes?.flow,
    ...ending,
  };
};
