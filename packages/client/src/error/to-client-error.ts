import { PlugboardError, type ErrorCode } from '@plugboard/contract';
import { McpClientError, type ClientErrorKind, type ClientErrorOptions } from './client-error.js';
import {
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
} from './error-family.js';

type Kind = new (code: ErrorCode, message: string, options?: ClientErrorOptions) => McpClientError;

const KINDS: Readonly<Record<ClientErrorKind, Kind>> = {
  connection: McpConnectionError,
  protocol: McpProtocolError,
  timeout: McpTimeoutError,
  session: McpSessionError,
  process: McpProcessError,
  auth: McpAuthError,
  'ambiguous-delivery': McpAmbiguousDeliveryError,
  'circuit-open': McpCircuitOpenError,
  'rate-limited': McpRateLimitedError,
  cancelled: McpCancelledError,
};

const KIND_OF_CODE: Partial<Record<ErrorCode, ClientErrorKind>> = {
  UPSTREAM_REFUSED: 'connection',
  UPSTREAM_DNS: 'connection',
  UPSTREAM_TLS: 'connection',
  URL_REFUSED: 'connection',
  UPSTREAM_CLOSED: 'connection',
  UPSTREAM_WRONG_URL: 'connection',
  UPSTREAM_UNAVAILABLE: 'connection',
  UPSTREAM_TIMEOUT: 'timeout',
  UPSTREAM_AUTH: 'auth',
  UPSTREAM_AUTH_EXPIRED: 'auth',
  UPSTREAM_AUTH_REVOKED: 'auth',
  UPSTREAM_SCOPE: 'auth',
  AUTH_REQUIRED: 'auth',
  AUTH_SERVER_UNAVAILABLE: 'connection',
  SESSION_LOST: 'session',
  AMBIGUOUS_DELIVERY: 'ambiguous-delivery',
  CIRCUIT_OPEN: 'circuit-open',
  RATE_LIMITED: 'rate-limited',
  CANCELLED: 'cancelled',
  PROCESS_EXITED: 'process',
  PROCESS_NOT_STARTED: 'process',
  PROCESS_CRASH_LOOP: 'process',
  PROCESS_MEMORY_LIMIT: 'process',
};

/** The error of the family that a code belongs to. */
export const clientError = (code: ErrorCode, message: string, options: ClientErrorOptions = {}): McpClientError =>
  new KINDS[KIND_OF_CODE[code] ?? 'protocol'](code, message, options);

/** Anything thrown, as a member of the family. What is unknown becomes INTERNAL without its text. */
export const toClientError = (thrown: unknown): McpClientError => {
  if (thrown instanceof McpClientError) return thrown;
  if (thrown instanceof PlugboardError) {
    const { code, message, advice: hint, details, retryAfterMs, cause } = thrown;
    return clientError(code, message, { hint, details, retryAfterMs, cause });
  }
  return clientError('INTERNAL', 'Something went wrong inside the MCP client.', {
    delivery: 'ambiguous',
    cause: thrown,
  });
};
