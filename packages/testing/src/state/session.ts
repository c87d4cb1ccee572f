import { RpcError, INTERNAL_ERROR } from '../json-rpc/rpc-error.js';
import type { JsonObject, JsonRpcId, JsonRpcMessage, JsonRpcResponse } from '../json-rpc/message.js';

interface Pending {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

type Send = (message: JsonRpcMessage) => void;

const MAX_QUEUED = 1_000;

/** What a legacy server remembers of one client. On stdio the modern era uses only its requests in flight. */
export class Session {
  readonly id: string;
  protocolVersion: string | undefined;
  clientCapabilities: JsonObject = {};
  clientInfo: JsonObject = {};
  initialized = false;
  logLevel: string | undefined;
  readonly subscriptions = new Set<string>();
  readonly #inFlight = new Map<JsonRpcId, AbortController>();
  readonly #pending = new Map<JsonRpcId, Pending>();
  readonly #queue: JsonRpcMessage[] = [];
  readonly #onClose = new Set<() => void>();
  #channel: Send | undefined;
  #nextId = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Starts a request of the client; the answer is its signal and what ends it. */
  begin(id: JsonRpcId, outer: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController();
    const onOuterAbort = (): void => controller.abort();
    this.#inFlight.set(id, controller);
    outer.addEventListener('abort', onOuterAbort, { once: true });
    if (outer.aborted) controller.abort();
    return {
      signal: controller.signal,
      end: () => {
        outer.removeEventListener('abort', onOuterAbort);
        if (this.#inFlight.get(id) === controller) this.#inFlight.delete(id);
      },
    };
  }

  cancel(id: JsonRpcId): void {
    this.#inFlight.get(id)?.abort();
  }

  /** Where messages go that belong to no request of the client; they wait until there is such a place. */
  attach(channel: Send): () => void {
    this.#channel = channel;
    for (const message of this.#queue.splice(0)) channel(message);
    return () => {
      if (this.#channel === channel) this.#channel = undefined;
    };
  }

  send(message: JsonRpcMessage): void {
    if (this.#channel !== undefined) this.#channel(message);
    else if (this.#queue.length < MAX_QUEUED) this.#queue.push(message);
  }

  /** A request to the client, over `via` or the session's own channel. */
  request(method: string, params: JsonObject, options: { via?: Send; signal?: AbortSignal } = {}): Promise<JsonObject> {
    this.#nextId += 1;
    const id = `server-${this.#nextId}`;
    return new Promise<JsonObject>((resolve, reject) => {
      const onAbort = (): void => settle(() => reject(new RpcError(INTERNAL_ERROR, 'The request was cancelled')));
      const settle = (act: () => void): void => {
        this.#pending.delete(id);
        options.signal?.removeEventListener('abort', onAbort);
        act();
      };
      this.#pending.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      options.signal?.addEventListener('abort', onAbort, { once: true });
      (options.via ?? ((message) => this.send(message)))({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** The client's answer to one of our requests. */
  settle(response: JsonRpcResponse): void {
    const pending = response.id === null ? undefined : this.#pending.get(response.id);
    if (response.error === undefined) pending?.resolve(response.result ?? {});
    else pending?.reject(new RpcError(response.error.code, response.error.message, { data: response.error.data }));
  }

  onClose(act: () => void): () => void {
    this.#onClose.add(act);
    return () => this.#onClose.delete(act);
  }

  close(): void {
    for (const controller of this.#inFlight.values()) controller.abort();
    for (const pending of this.#pending.values()) pending.reject(new RpcError(INTERNAL_ERROR, 'The session ended'));
    for (const act of this.#onClose) act();
    this.#onClose.clear();
  }
}
