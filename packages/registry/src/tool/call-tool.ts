import {
  toPlugboardError,
  type ErrorCode,
  type ToolId,
  type ToolResult,
  type PlugboardError,
  type ServerId,
} from '@plugboard/contract';
import type { Catalogue, KnownServer } from '../catalogue/catalogue.js';
import { isoTime, type Clock } from '../port/clock.js';
import type { ReachOptions, ServerReach } from '../port/server-reach.js';
import { requireEnabled, requireReachable } from '../server/reachable.js';
import { toolNotFound } from './tool-change.js';

interface CallContext {
  readonly catalogue: Catalogue;
  readonly reach: ServerReach;
  readonly clock: Clock;
  readonly stdioAllowed: boolean;
}

interface CallRequest {
  readonly toolId: ToolId;
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: ReachOptions;
}

/** Failures that say something about the server rather than about this one call. */
const serverFailures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UPSTREAM_REFUSED',
  'UPSTREAM_DNS',
  'UPSTREAM_TLS',
  'UPSTREAM_CLOSED',
  'UPSTREAM_AUTH',
  'UPSTREAM_WRONG_URL',
  'UPSTREAM_NOT_MCP',
  'UPSTREAM_UNAVAILABLE',
  'PROCESS_EXITED',
  'PROCESS_NOT_STARTED',
  'PROCESS_CRASH_LOOP',
  'PROCESS_MEMORY_LIMIT',
]);

/** Remembers how a call found its server; what is only about the call changes nothing. */
export const noteOutcome = (
  { catalogue, clock }: Pick<CallContext, 'catalogue' | 'clock'>,
  id: ServerId,
  error: PlugboardError | undefined,
): void => {
  if (error === undefined) {
    if (catalogue.status(id).state !== 'ready') catalogue.noteStatus(id, { state: 'ready', at: isoTime(clock.now()) });
  } else if (serverFailures.has(error.code)) {
    catalogue.noteStatus(id, { state: 'failing', at: isoTime(clock.now()), error: error.toJSON() });
  }
};

/** Calls a tool by the name that its server knows, and remembers how the server was found. */
export const callTool = async (
  { catalogue, reach, clock, stdioAllowed }: CallContext,
  { stored, tools }: KnownServer,
  { toolId, args, options }: CallRequest,
): Promise<ToolResult> => {
  const tool = tools.find((candidate) => candidate.id === toolId);
  if (tool === undefined) throw toolNotFound(toolId);
  requireEnabled(stored);
  requireReachable(stored, stdioAllowed);
  const { id } = stored.server;
  try {
    const result = await reach.callTool(stored.server, { name: tool.upstream_name, arguments: args }, options);
    catalogue.noteStatus(id, { state: 'ready', at: isoTime(clock.now()) });
    return result;
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    if (serverFailures.has(error.code)) {
      catalogue.noteStatus(id, { state: 'failing', at: isoTime(clock.now()), error: error.toJSON() });
    }
    throw error;
  }
};
