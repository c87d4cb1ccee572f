import { type ErrorCode, PlugboardError } from '@plugboard/contract';
import { type JsonRpcErrorBody, RPC_CODE } from '@plugboard/wire';

/** A refusal whose JSON-RPC code, data or HTTP status the protocol prescribes. */
export class RpcRefusal extends PlugboardError {
  override readonly name = 'RpcRefusal';
  readonly rpc: JsonRpcErrorBody;
  /** The status over Streamable HTTP, where a revision fixes it. */
  readonly status: number | undefined;

  constructor(code: ErrorCode, rpc: JsonRpcErrorBody, status?: number) {
    super(code, rpc.message);
    this.rpc = rpc;
    this.status = status;
  }
}

/** The message is not what its revision wants: HTTP 400. */
export const invalidEnvelope = (message: string): RpcRefusal =>
  new RpcRefusal('INVALID_ARGUMENT', { code: RPC_CODE.invalidParams, message }, 400);

export const invalidParams = (message: string): RpcRefusal =>
  new RpcRefusal('INVALID_ARGUMENT', { code: RPC_CODE.invalidParams, message });

export const headerMismatch = (message: string): RpcRefusal =>
  new RpcRefusal('INVALID_ARGUMENT', { code: RPC_CODE.headerMismatch, message: `Header mismatch: ${message}` }, 400);

export const methodNotFound = (method: string): RpcRefusal =>
  new RpcRefusal(
    'METHOD_NOT_FOUND',
    {
      code: RPC_CODE.methodNotFound,
      message: `The method "${method.slice(0, 100)}" is not supported by this endpoint.`,
      data: { code: 'METHOD_NOT_FOUND', hint: 'The capabilities of this endpoint list the methods that it supports.' },
    },
    404,
  );

export const missingCapability = (required: Readonly<Record<string, unknown>>): RpcRefusal =>
  new RpcRefusal(
    'INVALID_ARGUMENT',
    {
      code: RPC_CODE.missingClientCapability,
      message: `This request needs a client with: ${Object.keys(required).join(', ')}.`,
      data: { requiredCapabilities: required },
    },
    400,
  );

export const unsupportedVersion = (requested: string, supported: readonly string[]): RpcRefusal =>
  new RpcRefusal(
    'INVALID_ARGUMENT',
    {
      code: RPC_CODE.unsupportedProtocolVersion,
      message: 'Unsupported protocol version',
      data: { supported, requested },
    },
    400,
  );
