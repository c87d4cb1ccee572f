import type { JsonRpcRequest } from '@plugboard/wire';
import type { Caller } from '../call/caller.js';
import type { McpCall } from '../call/mcp-call.js';
import { readModernEnvelope } from './modern-envelope.js';

type OfTransport = 'scope' | 'reply' | 'signal' | 'sent' | 'obstacle' | 'bodyBytes';

export interface ModernCallOptions extends Pick<McpCall, OfTransport> {
  readonly caller: Caller;
  /** Undefined where the transport has none. */
  readonly headers?: McpCall['headers'] | undefined;
}

/** A modern request on its way. */
export const modernCall = (request: JsonRpcRequest, options: ModernCallOptions): McpCall => {
  const { client, params, logLevel } = readModernEnvelope(request, options.caller, options.headers);
  return {
    id: request.id,
    method: request.method,
    params,
    client,
    session: undefined,
    scope: options.scope,
    reply: options.reply,
    signal: options.signal,
    logLevel,
    headers: options.headers ?? {},
    sent: options.sent,
    obstacle: options.obstacle,
    bodyBytes: options.bodyBytes,
    // Members that steps fill in, as in `legacyCall`.
    route: undefined,
    notes: undefined,
  };
};
