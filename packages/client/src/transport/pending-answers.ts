import { deferred, type Deferred } from '@plugboard/base';
import {
  isJsonObject,
  readModernMeta,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
} from '@plugboard/wire';
import { abortedError } from '../error/aborted-error.js';
import { Chain, type ChainLink } from '../fast-path/http1/chain.js';
import type { Exchange, Incoming } from './transport.js';

/** A request until it is answered, or until its signal aborts. */
class Waiting implements ChainLink<Waiting> {
  before: Waiting | undefined;
  after: Waiting | undefined;
  readonly message: JsonRpcRequest;
  readonly exchange: Exchange;
  readonly answer: Deferred<JsonRpcResponse> = deferred();
  private readonly all: PendingAnswers;

  constructor(message: JsonRpcRequest, exchange: Exchange, all: PendingAnswers) {
    this.message = message;
    this.exchange = exchange;
    this.all = all;
  }

  handleEvent(): void {
    this.all.drop(this.message.id, abortedError(this.exchange.signal, 'ambiguous'));
  }
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
  /** In the order in which they were sent, which is that of most answers. A Map would keep every request alive for long. */
  readonly #waiting = new Chain<Waiting>();
  #size = 0;
  /** Those beside them. */
  sent: SentRequests | undefined;

  get size(): number {
    return this.#size;
  }

  /** Registers the request before it is sent: its answer may be faster than the write. */
  add(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    const waiting = new Waiting(message, exchange, this);
    const { promise } = waiting.answer;
    promise.catch(() => undefined);
    this.#waiting.append(waiting);
    this.#size += 1;
    exchange.signal.addEventListener('abort', waiting);
    if (exchange.signal.aborted) waiting.handleEvent();
    return promise;
  }

  /** Who waits for the answer to this request. */
  exchangeOf(id: RequestId): Exchange | undefined {
    return this.#find(id)?.exchange;
  }

  /** False when nobody waits for it: late, or never asked. */
  answer(response: JsonRpcResponse): boolean {
    const waiting = this.#find(response.id);
    if (waiting === undefined) return this.sent?.takeResponse(response) === true;
    this.#remove(waiting);
    waiting.answer.resolve(response);
    return true;
  }

  /** Gives a message to the request it names, or to the only one there is. */
  deliver(incoming: Incoming): boolean {
    const origin = originOf(incoming);
    const receiver =
      origin === undefined ? this.#only(incoming) : (this.#find(origin)?.exchange ?? this.sent?.find(origin));
    receiver?.onIncoming(incoming);
    return receiver !== undefined;
  }

  /** Should the channel wait? Only for the one request that uses it: others must not wait with it. */
  pace(): Promise<void> | undefined {
    return this.#size + (this.sent?.size ?? 0) === 1 ? this.#waiting.first?.exchange.pace?.() : undefined;
  }

  /** Should the channel of one client wait? For each of its requests that is not read; the clocks of all stand. */
  paceTogether(owner: Promise<void> | undefined): Promise<void> | undefined {
    const waits: Promise<void>[] = owner === undefined ? [] : [owner];
    for (let { first: each } = this.#waiting; each !== undefined; each = each.after) {
      const wait = each.exchange.pace?.();
      if (wait !== undefined) waits.push(wait);
    }
    if (waits.length === 0) return undefined;
    const all = Promise.allSettled(waits).then(() => undefined);
    for (let { first: each } = this.#waiting; each !== undefined; each = each.after) each.exchange.onHeldUp?.(all);
    return all;
  }

  /** The request never left, or nobody waits for its answer any more. */
  drop(id: RequestId, reason: unknown): void {
    const waiting = this.#find(id);
    if (waiting === undefined) return;
    this.#remove(waiting);
    waiting.answer.reject(reason);
  }

  fail(reason: unknown): void {
    for (let { first } = this.#waiting; first !== undefined; { first } = this.#waiting) {
      this.#remove(first);
      first.answer.reject(reason);
    }
  }

  #find(id: unknown): Waiting | undefined {
    let waiting = this.#waiting.first;
    while (waiting !== undefined && waiting.message.id !== id) waiting = waiting.after;
    return waiting;
  }

  #remove(waiting: Waiting): void {
    this.#waiting.remove(waiting);
    this.#size -= 1;
    waiting.exchange.signal.removeEventListener('abort', waiting);
  }

  /** Requests and log messages of the server name no cause; with one call that they can be of there is no doubt. */
  #only(incoming: Incoming): Receiver | undefined {
    const possible: Receiver[] = [];
    for (let { first: each } = this.#waiting; each !== undefined; each = each.after) {
      if (mayCause(each.message, incoming)) possible.push(each.exchange);
    }
    for (const sent of this.sent ?? []) if (sent.mayCause(incoming)) possible.push(sent);
    return possible.length === 1 ? possible[0] : undefined;
  }
}
