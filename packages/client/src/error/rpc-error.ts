import type { ErrorCode } from '@plugboard/contract';
import { RPC_CODE, type JsonRpcErrorBody } from '@plugboard/wire';
import type { McpClientError } from './client-error.js';
import { McpProtocolError, McpSessionError } from './error-family.js';
import type { Redact } from '../redact/redaction.js';

const codeOf = (rpcCode: number): ErrorCode => {
  switch (rpcCode) {
    case RPC_CODE.methodNotFound:
      return 'METHOD_NOT_FOUND';
    case RPC_CODE.invalidParams:
      return 'INVALID_ARGUMENT';
    case RPC_CODE.resourceNotFound:
      return 'NOT_FOUND';
    default:
      return 'UPSTREAM_PROTOCOL';
  }
};

const SESSION_TEXT = /\bsession|not (?:yet )?initiali[sz]ed/iu;
const SESSION_CODES: ReadonlySet<number> = new Set([RPC_CODE.serverError, RPC_CODE.sessionNotFound, 32600, -32600]);

/** The generic codes mean a lost session only when the text mentions one. */
export const speaksOfSession = (error: JsonRpcErrorBody): boolean =>
  SESSION_CODES.has(error.code) && SESSION_TEXT.test(error.message);

/** The JSON-RPC error that a server answered. It is never retried. */
export const rpcError = (error: JsonRpcErrorBody, redact: Redact): McpClientError => {
  const message = redact(error.message);
  return new McpProtocolError(codeOf(error.code), `The server answered with an error: ${message}`, {
    delivery: 'answered',
    details: { rpc_message: message },
    rpc: { code: error.code, message, ...(error.data === undefined ? {} : { data: error.data }) },
  });
};

export const sessionLostError = (detail: string, cause?: unknown): McpSessionError =>
  new McpSessionError('SESSION_LOST', `The server no longer knows the session: ${detail}.`, {
    hint: 'The server was restarted or dropped the session. The next call opens a new one.',
    delivery: 'not-executed',
    cause,
  });
