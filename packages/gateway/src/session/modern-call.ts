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
export const modernCall = (request: JsonRpcRequest, { caller, headers, ...rest }: ModernCallOptions): McpCall => ({
  ...rest,
  ...readModernEnvelope(request, caller, headers),
  id: request.id,
  method: request.method,
  session: undefined,
  headers: headers ?? {},
});
