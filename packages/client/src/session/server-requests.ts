import {
  buildFailure,
  buildResult,
  isJsonObject,
  RPC_CODE,
  type JsonRpcFailure,
  type JsonRpcRequest,
  type JsonRpcResult,
  type RequestId,
} from '@plugboard/wire';
import { McpClientError } from '../error/client-error.js';

/** What a server asks of us: sampling, elicitation, roots, or anything else it may think of. */
export interface ServerRequest {
  /** The server's own id of the request; undefined for input that a result asked for. */
  readonly id?: RequestId | undefined;
  readonly method: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
}

/** Returns the result or a promise of it; what it throws becomes a JSON-RPC error. */
export type RequestHandler = (request: ServerRequest) => unknown;

/** Takes what has no handler of its own. */
export const ANY_METHOD = '*';

const CAPABILITY_OF: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** Answers the requests of a server with the handlers that were registered. */
export class ServerRequests {
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #running = new Map<RequestId, AbortController>();

  register(method: string, handler: RequestHandler): () => void {
    this.#handlers.set(method, handler);
    return () => {
      if (this.#handlers.get(method) === handler) this.#handlers.delete(method);
    };
  }

  get isEmpty(): boolean {
    return this.#handlers.size === 0;
  }

  /** What a client with these handlers can offer; what the caller declared stays as it is. */
  declare(capabilities: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    if (this.isEmpty) return capabilities;
    const offered = [...this.#handlers.keys()].flatMap((method) => CAPABILITY_OF[method] ?? []);
    return { ...Object.fromEntries(offered.map((name) => [name, {}])), ...capabilities };
  }

  find(method: string): RequestHandler | undefined {
    return this.#handlers.get(method) ?? this.#handlers.get(ANY_METHOD);
  }

  async answer(request: JsonRpcRequest, own?: RequestHandler): Promise<JsonRpcResult | JsonRpcFailure> {
    const handler = own ?? this.find(request.method);
    if (handler === undefined) {
      return request.method === 'ping'
        ? buildResult(request.id, {})
        : buildFailure(request.id, {
            code: RPC_CODE.methodNotFound,
            message: 'The client does not offer this method.',
          });
    }
    const controller = new AbortController();
    this.#running.set(request.id, controller);
    try {
      const { id, method, params } = request;
      const result = await handler({ id, method, params, signal: controller.signal });
      return buildResult(request.id, result ?? {});
    } catch (thrown) {
      return buildFailure(request.id, failureOf(thrown));
    } finally {
      this.#running.delete(request.id);
    }
  }

  /** The server takes a request back. */
  cancel(params: unknown): void {
    if (isJsonObject(params)) this.#running.get(params['requestId'] as RequestId)?.abort();
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) {
      controller.abort();
    }
  }
}

/** A handler that relays another server's refusal passes its code on; anything else stays inside. */
const failureOf = (thrown: unknown): JsonRpcFailure['error'] =>
  thrown instanceof McpClientError && thrown.rpc !== undefined
    ? thrown.rpc
    : { code: RPC_CODE.internalError, message: 'The client could not answer the request.' };
