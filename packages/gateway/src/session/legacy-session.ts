import { LightAbort } from '@plugboard/base';
import { Chain, type ChainLink, McpProtocolError } from '@plugboard/client';
import {
  buildNotification,
  buildRequest,
  isJsonObject,
  type JsonRpcMessage,
  type JsonRpcResponse,
  type RequestId,
} from '@plugboard/wire';
import type { Ask, ClientFacts, ClientSession, ReplyChannel, SessionView } from '../call/mcp-call.js';
import type { Scope } from '../call/scope.js';

export type Deliver = (message: JsonRpcMessage) => void;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface LegacySessionOptions {
  readonly id: string;
  readonly scope: Scope;
  readonly client: ClientFacts;
  /** Takes messages that belong to no request of the client. */
  readonly deliver: Deliver;
  /** Undefined while the client reads what is delivered. */
  readonly drained?: (() => Promise<void> | undefined) | undefined;
  /** Called when something changed that a hub which continues the session must know. */
  readonly onChange?: (() => void) | undefined;
  /** What an earlier process kept of it. */
  readonly past?: LegacyPast | undefined;
}

export interface LegacyPast {
  readonly logLevel: string | undefined;
  readonly subscriptions: readonly string[];
  /** Ids of questions start after this one, so that late answers to earlier questions fit none. */
  readonly lastId: number;
}

/** A request of the client that can be taken back. */
export interface InFlight {
  abort(): void;
}

/** A request in flight, with the client's id of it. */
export class Tracked implements ChainLink<Tracked> {
  readonly id: RequestId;
  readonly request: InFlight;
  before: Tracked | undefined;
  after: Tracked | undefined;

  constructor(id: RequestId, request: InFlight) {
    this.id = id;
    this.request = request;
  }
}

const gone = (message: string): McpProtocolError =>
  new McpProtocolError('CANCELLED', message, { rpc: { code: -32000, message } });

/** A client has no more large requests in progress at a time. */
const MAX_TAKEN_BACK = 100;

/** What one legacy client has in progress, and what it was asked. */
export class LegacySession implements ClientSession {
  readonly id: string;
  readonly endpoint: Scope;
  view: SessionView | undefined;
  readonly channel: ReplyChannel;
  #client: ClientFacts;
  #logLevel: string | undefined;
  readonly #onChange: (() => void) | undefined;
  /** Made by the first subscription: most sessions have none. */
  #subscriptions: Set<string> | undefined;
  #subscriptionChars = 0;
  usedAt = performance.now();
  /** Did a request ever come after initialize? */
  wasUsed = false;
  /** Streams that are open to the client: while there is one, the session is not abandoned. */
  openStreams = 0;
  readonly #inFlight = new Chain<Tracked>();
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #onEnd = new Set<() => void>();
  /** Large bodies of the client that wait for their turn. */
  #unread = 0;
  /** Requests that were taken back before they were read. */
  readonly #takenBack = new Set<unknown>();
  #ended = false;
  #ending = false;
  #lastId = 0;

  constructor({ id, scope, client, deliver, drained, onChange, past }: LegacySessionOptions) {
    this.id = id;
    this.#onChange = onChange;
    if (past !== undefined) {
      this.#logLevel = past.logLevel;
      this.#lastId = past.lastId;
      for (const uri of past.subscriptions) this.#subscribe(uri, true);
    }
    this.endpoint = scope;
    this.#client = client;
    this.channel = { notify: deliver, drained, ask: this.askVia(deliver) };
  }

  /** The endpoint as this session sees it. */
  get scope(): Scope {
    return this.view?.scope ?? this.endpoint;
  }

  get client(): ClientFacts {
    return this.#client;
  }

  /** The client says who it is, on a channel that was open before. */
  identify(client: ClientFacts): void {
    this.#client = client;
  }

  get logLevel(): string | undefined {
    return this.#logLevel;
  }

  set logLevel(level: string | undefined) {
    this.#logLevel = level;
    this.#onChange?.();
  }

  /** The URIs of the resources that the client is subscribed to, as it named them. */
  get subscriptions(): readonly string[] {
    return [...(this.#subscriptions ?? [])];
  }

  /** How long their URIs are together: known without a look at each of them. */
  get subscriptionChars(): number {
    return this.#subscriptionChars;
  }

  noteSubscription(uri: string, isOn: boolean): void {
    this.#subscribe(uri, isOn);
    this.#onChange?.();
  }

  #subscribe(uri: string, isOn: boolean): void {
    const uris = (this.#subscriptions ??= new Set());
    if (uris.has(uri) === isOn) return;
    if (isOn) uris.add(uri);
    else uris.delete(uri);
    this.#subscriptionChars += isOn ? uri.length : -uri.length;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get busy(): boolean {
    return !this.#inFlight.isEmpty || this.openStreams > 0;
  }

  onEnd(listener: () => void): void {
    if (this.#ended) listener();
    else this.#onEnd.add(listener);
  }

  /** A request of the client begins; the answer's `end` says that it is over. */
  begin(id: RequestId): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new LightAbort();
    const tracked = this.track(id, controller);
    return {
      signal: controller.signal,
      end: () => this.untrack(tracked),
    };
  }

  /** The same for a request that is taken back in its own way. */
  track(id: RequestId, request: InFlight): Tracked {
    const tracked = new Tracked(id, request);
    this.#inFlight.append(tracked);
    // The caller has not finished starting the request.
    if (this.#takenBack.delete(id)) queueMicrotask(() => request.abort());
    this.wasUsed = true;
    this.usedAt = performance.now();
    return tracked;
  }

  untrack(tracked: Tracked): void {
    this.usedAt = performance.now();
    this.#inFlight.remove(tracked);
    if (this.#ending) this.endWhenDone();
  }

  /** Ends now, or as soon as nothing is in progress: the last answer has been written by then. */
  endWhenDone(): void {
    this.#ending = true;
    queueMicrotask(() => {
      if (this.#inFlight.isEmpty) this.end();
    });
  }

  /** The client takes a request back. */
  cancel(params: unknown): void {
    const id = isJsonObject(params) ? params['requestId'] : undefined;
    let tracked = this.#inFlight.first;
    while (tracked !== undefined && tracked.id !== id) tracked = tracked.after;
    if (tracked !== undefined) tracked.request.abort();
    else if (this.#unread > 0 && this.#takenBack.size < MAX_TAKEN_BACK) this.#takenBack.add(id);
  }

  /** A large body waits for its turn: what is in it can be taken back meanwhile. Call the result when it was read. */
  awaitBody(): () => void {
    this.#unread += 1;
    return () => {
      this.#unread -= 1;
      if (this.#unread === 0) this.#takenBack.clear();
    };
  }

  /** Asks the client over the given way. */
  askVia(deliver: Deliver): Ask {
    return (method, params, signal) =>
      new Promise((resolve, reject) => {
        if (this.#ended || signal.aborted) {
          reject(gone('The client disconnected.'));
          return;
        }
        this.#lastId += 1;
        const id = this.#lastId;
        const settle = (act: () => void): void => {
          this.#waiting.delete(id);
          signal.removeEventListener('abort', onAbort);
          act();
        };
        const onAbort = (): void => {
          deliver(buildNotification('notifications/cancelled', { requestId: id }));
          settle(() => reject(gone('The question was cancelled.')));
        };
        this.#waiting.set(id, {
          resolve: (result) => settle(() => resolve(result)),
          reject: (error) => settle(() => reject(error)),
        });
        signal.addEventListener('abort', onAbort, { once: true });
        deliver(buildRequest(id, method, params));
      });
  }

  /** The client's answer to a question; one that nobody waits for is dropped. */
  settle(response: JsonRpcResponse): void {
    this.usedAt = performance.now();
    const waiting = response.id === undefined || response.id === null ? undefined : this.#waiting.get(response.id);
    if (waiting === undefined) return;
    if (!('error' in response)) {
      waiting.resolve(response.result);
      return;
    }
    const { error } = response;
    waiting.reject(new McpProtocolError('UPSTREAM_PROTOCOL', error.message, { delivery: 'answered', rpc: error }));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (let tracked = this.#inFlight.first; tracked !== undefined; tracked = this.#inFlight.first) {
      this.#inFlight.remove(tracked);
      tracked.request.abort();
    }
    for (const waiting of this.#waiting.values()) waiting.reject(gone('The session is over.'));
    for (const listener of this.#onEnd) listener();
    this.#onEnd.clear();
  }
}
