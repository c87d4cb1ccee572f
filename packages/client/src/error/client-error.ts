import { PlugboardError, type ErrorCode, type ErrorDescription, type PlugboardErrorOptions } from '@plugboard/contract';

/**
 * Whether the request was executed, as far as this client can know.
 * not-executed: it had no effect. ambiguous: it may have been executed. answered: the server answered it.
 */
export type Delivery = 'not-executed' | 'ambiguous' | 'answered';

/** An attempt of a call that failed. */
export interface AttemptRecord {
  readonly attempt: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly delivery: Delivery;
  readonly elapsedMs: number;
}

/** The JSON-RPC error that a server answered. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type ClientErrorKind =
  | 'connection'
  | 'protocol'
  | 'timeout'
  | 'session'
  | 'process'
  | 'auth'
  | 'ambiguous-delivery'
  | 'circuit-open'
  | 'rate-limited'
  | 'cancelled';

export interface ClientErrorOptions extends PlugboardErrorOptions {
  readonly delivery?: Delivery | undefined;
  readonly attempts?: readonly AttemptRecord[] | undefined;
  readonly rpc?: RpcFailure | undefined;
}

/** What the client throws: nothing else leaves it. Each kind is a subclass with the same constructor. */
export abstract class McpClientError extends PlugboardError {
  abstract readonly kind: ClientErrorKind;
  readonly delivery: Delivery;
  /** Every attempt of the call, oldest first; empty when it was not retried. */
  readonly attempts: readonly AttemptRecord[];
  /** Present when the server answered with a JSON-RPC error. */
  readonly rpc: RpcFailure | undefined;

  constructor(code: ErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
    this.delivery = options.delivery ?? 'not-executed';
    this.attempts = options.attempts ?? [];
    this.rpc = options.rpc;
  }

  /** The same error with other facts; one error may reach many callers, so it is never changed in place. */
  with(change: Pick<ClientErrorOptions, 'delivery' | 'attempts' | 'details' | 'hint'>): this {
    const Kind = this.constructor as new (code: ErrorCode, message: string, options: ClientErrorOptions) => this;
    return new Kind(this.code, this.message, {
      hint: this.advice,
      details: this.details,
      retryAfterMs: this.retryAfterMs,
      cause: this.cause,
      delivery: this.delivery,
      attempts: this.attempts,
      rpc: this.rpc,
      ...change,
    });
  }

  override toJSON(): ErrorDescription {
    const described = super.toJSON();
    const facts = {
      ...this.details,
      delivery: this.delivery,
      ...(this.rpc === undefined ? {} : { rpc_code: this.rpc.code }),
      ...(this.attempts.length === 0 ? {} : { attempts: this.attempts }),
    };
    return { ...described, details: facts };
  }
}
