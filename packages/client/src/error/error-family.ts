import { McpClientError } from './client-error.js';

/** The server could not be reached, or the link to it broke. */
export class McpConnectionError extends McpClientError {
  override readonly name = 'McpConnectionError';
  override readonly kind = 'connection';
}

/** The server answered with an error, or with something that is not MCP. */
export class McpProtocolError extends McpClientError {
  override readonly name = 'McpProtocolError';
  override readonly kind = 'protocol';
}

/** A deadline passed. */
export class McpTimeoutError extends McpClientError {
  override readonly name = 'McpTimeoutError';
  override readonly kind = 'timeout';
}

/** The server no longer knows the session. */
export class McpSessionError extends McpClientError {
  override readonly name = 'McpSessionError';
  override readonly kind = 'session';
}

/** The server's process could not be started or is gone. */
export class McpProcessError extends McpClientError {
  override readonly name = 'McpProcessError';
  override readonly kind = 'process';
}

/** The server refused our credentials. */
export class McpAuthError extends McpClientError {
  override readonly name = 'McpAuthError';
  override readonly kind = 'auth';
}

/** The call may have been executed, and a second execution may do harm: only the caller can decide. */
export class McpAmbiguousDeliveryError extends McpClientError {
  override readonly name = 'McpAmbiguousDeliveryError';
  override readonly kind = 'ambiguous-delivery';
}

/** The circuit of this server is open: nothing was sent. */
export class McpCircuitOpenError extends McpClientError {
  override readonly name = 'McpCircuitOpenError';
  override readonly kind = 'circuit-open';
}

/** The server, or a limit of ours, refused the call for now. */
export class McpRateLimitedError extends McpClientError {
  override readonly name = 'McpRateLimitedError';
  override readonly kind = 'rate-limited';
}

/** The caller cancelled the call. */
export class McpCancelledError extends McpClientError {
  override readonly name = 'McpCancelledError';
  override readonly kind = 'cancelled';
}
