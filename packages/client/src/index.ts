export { type ClientEvent } from './client-event.js';
export { DEFAULT_DEADLINES, type Deadlines, type Launch, type McpClientOptions } from './client-options.js';
export {
  McpClientError,
  type AttemptRecord,
  type ClientErrorKind,
  type Delivery,
  type RpcFailure,
} from './error/client-error.js';
export {
  McpAmbiguousDeliveryError,
  McpAuthError,
  McpCancelledError,
  McpCircuitOpenError,
  McpConnectionError,
  McpProcessError,
  McpProtocolError,
  McpRateLimitedError,
  McpSessionError,
  McpTimeoutError,
} from './error/error-family.js';
export { toClientError } from './error/to-client-error.js';
export { McpClient } from './mcp-client.js';
export { type RequestOptions } from './request-options.js';
export { type Progress } from './session/exchange-call.js';
export { type ListenFilter } from './session/notification-feed.js';
export { ANY_METHOD, type RequestHandler, type ServerRequest } from './session/server-requests.js';
export { type SessionStore, type StoredSession } from './session/session-store.js';
export { type Subscription, type SubscriptionEnd } from './session/subscription.js';
export { type CredentialSource } from './transport/credential-source.js';
export { type NetworkOptions } from './transport/http-dispatcher.js';
export { type TransportKind } from './transport/transport.js';
export { type CompletionParams } from './typed-access.js';
