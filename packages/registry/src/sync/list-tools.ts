import { withDeadline } from '@plugboard/base';
import { durationWords, PlugboardError, type Server, type ToolDefinition } from '@plugboard/contract';
import type { ReachOptions, ServerReach } from '../port/server-reach.js';
import { cancellation } from '../wait/cancellable.js';

export interface ListOptions extends ReachOptions {
  readonly deadlineMs: number;
}

const timeout = (server: Server, ms: number): PlugboardError =>
  new PlugboardError(
    'UPSTREAM_TIMEOUT',
    `The server "${server.server_name}" did not list its tools within ${durationWords(ms)}.`,
    {
      hint: 'Check that the server is running and not busy, then sync again.',
    },
  );

/** The server's list, within the deadline even if the implementation ignores the signal. */
export const listTools = (
  reach: ServerReach,
  server: Server,
  { deadlineMs, signal, ...behalf }: ListOptions,
): Promise<readonly ToolDefinition[]> =>
  withDeadline({ ms: deadlineMs, signal, expired: () => timeout(server, deadlineMs), failure: cancellation }, (inner) =>
    reach.listTools(server, { ...behalf, signal: inner }),
  );
