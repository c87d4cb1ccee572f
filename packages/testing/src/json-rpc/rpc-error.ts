import type { JsonRpcFailure } from './message.js';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Legacy servers answer transport-level trouble with this one. */
export const BAD_SESSION = -32000;
export const RESOURCE_NOT_FOUND = -32002;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

interface RpcErrorOptions {
  readonly data?: unknown;
  /** What Streamable HTTP answers with; 200 unless the specification says otherwise. */
  readonly httpStatus?: number;
}

/** A JSON-RPC error that a handler or a check ends a request with. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;
  readonly httpStatus: number;

  constructor(code: number, message: string, options: RpcErrorOptions = {}) {
    super(message);
    this.code = code;
    this.data = options.data;
    this.httpStatus = options.httpStatus ?? 200;
  }

  toFailure(): JsonRpcFailure {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }
}
