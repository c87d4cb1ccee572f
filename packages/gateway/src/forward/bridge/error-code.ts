import { McpClientError, McpProtocolError } from '@plugboard/client';
import { type JsonRpcErrorBody, RPC_CODE } from '@plugboard/wire';

/** The same error of the server with another code. */
const recoded = (error: McpClientError, rpc: JsonRpcErrorBody, code: number): McpClientError =>
  new McpProtocolError(error.code, error.message, { delivery: error.delivery, rpc: { ...rpc, code } });

/** An error of a legacy server as a modern client knows it. */
export const toModernError = (thrown: unknown): unknown => {
  if (!(thrown instanceof McpClientError) || thrown.rpc === undefined) return thrown;
  return thrown.rpc.code === RPC_CODE.resourceNotFound ? recoded(thrown, thrown.rpc, RPC_CODE.invalidParams) : thrown;
};

/** An error of a modern server as a legacy client knows it. */
export const toLegacyError = (method: string, thrown: unknown): unknown => {
  if (!(thrown instanceof McpClientError) || thrown.rpc === undefined) return thrown;
  switch (thrown.rpc.code) {
    case RPC_CODE.invalidParams:
      return method === 'resources/read' ? recoded(thrown, thrown.rpc, RPC_CODE.resourceNotFound) : thrown;
    case RPC_CODE.headerMismatch:
    case RPC_CODE.unsupportedProtocolVersion:
      // Between the hub and the server only: the client has no part in it.
      return recoded(thrown, thrown.rpc, RPC_CODE.internalError);
    case RPC_CODE.missingClientCapability:
      return recoded(thrown, thrown.rpc, RPC_CODE.invalidRequest);
    default:
      return thrown;
  }
};
