import { deferred, type Deferred } from '@plugboard/base';
import {
  isJsonObject,
  readModernMeta,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
} from '@plugboard/wire';
import { abortedError } from '../error/aborted-error.js';
import type { Exchange, Incoming } from './transport.js';

interface Waiting {
  readonly message: JsonRpcRequest;
  readonly exchange: Exchange;
  readonly answer: Deferred<JsonRpcResponse>;
}

/** The notification's own hint at the request it belongs to: its progress token or its subscription. */
const originOf = (incoming: Incoming): RequestId | undefined => {
  const { params, method } = incoming.message;
  if (method === 'notifications/progress' && isJsonObject(params)) {
    return params['progressToken'] as RequestId | undefined;
  }
  return readModernMeta(params)?.subscriptionId;
};

/** A subscription outlives every call and causes neither; a modern request asks for log messages, or gets none. */
const mayCause = ({ method, params }: JsonRpcRequest, { kind, message }: Incoming): boolean => {
  if (method === 'subscriptions/listen') return false;
  if (kind === 'request') return true;
  if (message.method !== 'notifications/message') return false;
  const meta = readModernMeta(params);
  return meta?.protocolVersion === undefined || meta.logLevel !== undefined;
};

/** A request that was sent as bytes, for what the server sends because of it. */
export interface SentRequest {
  mayCause(incoming: Incoming): boolean;
  onIncoming(incoming: Incoming): void;
}

/** The requests that were sent as bytes and wait on the same channel. */
export interface SentRequests extends Iterable<SentRequest> {
  readonly size: number;
  find(id: unknown): SentRequest | undefined;
  /** False when none of them waits for it. */
  takeResponse(response: JsonRpcResponse): boolean;
}

type Receiver = Pick<Exchange, 'onIncoming'>;

/** Requests that wait on one shared channel, found again by the id of their answer. */
export class PendingAnswers {
  readonly #waiting = new Map<RequestId, Waiting>();
  /** Those beside them. */
  sent: SentRequests | undefined;

  get size(): number {
    return this.#waiting.size;
  }

  /** Registers the request before it is sent: its answer may be faster than the write. */
  add(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    const answer = deferred<JsonRpcResponse>();
    const onAbort = (): void => answer.reject(abortedError(exchange.signal, 'ambiguous'));
    this.#waiting.set(message.id, { message, exchange, answer });
    exchange.signal.addEventListener('abort', onAbort, { once: true });
    if (exchange.signal.aborted) onAbort();
    const waited = answer.promise.finally(() => {
      this.#waiting.delete(message.id);
      exchange.signal.removeEventListener('abort', onAbort);
    });
    waited.catch(() => undefined);
    return waited;
  }

  /** Who waits for the answer to this request. */
  exchangeOf(id: RequestId): Exchange | undefined {
    return this.#waiting.get(id)?.exchange;
  }

  /** False when nobody waits for it: late, or never asked. */
  answer(response: JsonRpcResponse): boolean {
    const waiting = response.id === undefined || response.id === null ? undefined : this.#waiting.get(response.id);
    if (waiting === undefined) return this.sent?.takeResponse(response) === true;
    waiting.answer.resolve(response);
    return true;
  }

  /** Gives a message to the request it names, or to the only one there is. */
  deliver(incoming: Incoming): boolean {
    const origin = originOf(incoming);
    const receiver =
      origin === undefined ? this.#only(incoming) : (this.#waiting.get(origin)?.exchange ?? this.sent?.find(origin));
    receiver?.onIncoming(incoming);
    return receiver !== undefined;
  }

  /** Should the channel wait? Only for the one request that uses it: others must not wait with it. */
  pace(): Promise<void> | undefined {
    const [only, ...others] = this.#waiting.values();
    return others.length + (this.sent?.size ?? 0) > 0 ? undefined : only?.exchange.pace?.();
  }

  /** Should the channel of one client wait? For each of its requests that is not read; the clocks of all stand. */
  paceTogether(owner: Promise<void> | undefined): Promise<void> | undefined {
    const exchanges = [...this.#waiting.values()].map(({ exchange }) => exchange);
    const waits = [owner, ...exchanges.map(({ pace }) => pace?.())].filter((wait) => wait !== undefined);
    if (waits.length === 0) return undefined;
    const all = Promise.allSettled(waits).then(() => undefined);
    for (const { onHeldUp } of exchanges) onHeldUp?.(all);
    return all;
  }

  /** The request never left. */
  drop(id: RequestId, reason: unknown): void {
    this.#waiting.get(id)?.answer.reject(reason);
  }

  fail(reason: unknown): void {
    for (const { answer } of this.#waiting.values()) {
      answer.reject(reason);
    }
  }

  /** Requests and log messages of the server name no cause; with one call that they can be of there is no doubt. */
  #only(incoming: Incoming): Receiver | undefined {
    const possible: Receiver[] = [];
    for (const { message, exchange } of this.#waiting.values()) {
      if (mayCause(message, incoming)) possible.push(exchange);
    }
    for (const sent of this.sent ?? []) if (sent.mayCause(incoming)) possible.push(sent);
    return possible.length === 1 ? possible[0] : undefined;
  }
}
