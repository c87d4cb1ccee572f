import type { ErrorCode } from '@plugboard/contract';
import { RPC_CODE, type JsonRpcErrorBody } from '@plugboard/wire';
import type { McpClientError } from './client-error.js';
import { McpProtocolError } from './error-family.js';
import { type Redact, redactJson } from '../redact/redaction.js';

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

/** The JSON-RPC error that a server answered. It is never retried. */
export const rpcError = (error: JsonRpcErrorBody, redact: Redact): McpClientError => {
  const message = redact(error.message);
  return new McpProtocolError(codeOf(error.code), `The server answered with an error: ${message}`, {
    delivery: 'answered',
    details: { rpc_message: message },
    rpc: { code: error.code, message, ...(error.data === undefined ? {} : { data: redactJson(error.data, redact) }) },
  });
};
