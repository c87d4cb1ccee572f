import { isJsonObject, type JsonRpcRequest } from '@plugboard/wire';
import type { ClientFacts, McpCall, ReplyChannel } from '../call/mcp-call.js';
import type { SentCall } from '../call/sent-call.js';
import type { Scope } from '../call/scope.js';
import type { HeaderFields } from './era-of.js';
import type { LegacySession } from './legacy-session.js';

export interface LegacyCallOptions {
  readonly scope: Scope;
  readonly client: ClientFacts;
  readonly session: LegacySession | undefined;
  readonly reply: ReplyChannel;
  readonly signal: AbortSignal;
  readonly headers?: HeaderFields | undefined;
  readonly sent?: SentCall | undefined;
  /** Why it did not take the fast path. */
  readonly obstacle?: string | undefined;
  readonly bodyBytes?: number | undefined;
}

/** A legacy request on its way. */
export const legacyCall = (request: JsonRpcRequest, options: LegacyCallOptions): McpCall => ({
  id: request.id,
  method: request.method,
  params: isJsonObject(request.params) ? request.params : {},
  client: options.client,
  session: options.session,
  scope: options.scope,
  reply: options.reply,
  signal: options.signal,
  logLevel: undefined,
  headers: options.headers ?? {},
  sent: options.sent,
  obstacle: options.obstacle,
  bodyBytes: options.bodyBytes,
  // Members that steps fill in: to add one to a copy costs a multiple of replacing it.
  route: undefined,
  notes: undefined,
});
