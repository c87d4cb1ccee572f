import { deadlineSignal } from '@plugboard/base';
import { RPC_CODE, type JsonRpcNotification } from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';
import { Chain, type ChainLink } from '../fast-path/http1/chain.js';
import type { Incoming, Transport } from '../transport/transport.js';
import { OpenRequests } from './open-requests.js';
import { LateProgress } from './progress.js';
import { ServerRequests, type RequestHandler } from './server-requests.js';

/** @param ofCall it came on behalf of a call, which has heard it already if it listens. */
export type NotificationListener = (notification: JsonRpcNotification, ofCall: boolean) => void;

/** Who else wants what came on behalf of one call. */
export interface CallListeners {
  readonly onNotification?: ((notification: JsonRpcNotification) => void) | undefined;
  readonly onRequest?: RequestHandler | undefined;
  /** A request of the server was answered. */
  readonly onAnswered?: (() => void) | undefined;
}

export interface InboxOptions {
  /** May the server behind a transport send requests at all? */
  readonly mayAsk: (transport: Transport) => boolean;
  /** Hears every notification before the listeners do. */
  readonly onNotification?: ((notification: JsonRpcNotification) => void) | undefined;
}

const ANSWER_MS = 30_000;

/** Hands something to a call as if it had come on its own stream. */
export type Deliver = (incoming: Incoming) => void;

/** A call in progress whose caller answers what the server asks. */
class Askable implements ChainLink<Askable> {
  before: Askable | undefined;
  after: Askable | undefined;
  readonly deliver: Deliver;

  constructor(deliver: Deliver) {
    this.deliver = deliver;
  }
}

const refuseAmbiguous: RequestHandler = ({ method }) => {
  if (method === 'ping') return {};
  const message = 'Several calls are in progress. Send the request on the stream of the call that needs the answer.';
  throw new McpProtocolError('UPSTREAM_PROTOCOL', message, { rpc: { code: RPC_CODE.invalidRequest, message } });
};

/** Takes what a server sends on its own: passes notifications to listeners and answers requests. */
export class Inbox {
  readonly requests = new ServerRequests();
  readonly progress = new LateProgress();
  readonly #listeners = new Set<NotificationListener>();
  readonly #askable = new Chain<Askable>();
  #askableCount = 0;
  readonly #open = new OpenRequests();
  readonly #options: InboxOptions;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0 || !this.requests.isEmpty;
  }

  add(listener: NotificationListener): void {
    this.#listeners.add(listener);
  }

  remove(listener: NotificationListener): void {
    this.#listeners.delete(listener);
  }

  /** A call begins that the server may ask something for; the answer says that it is over. */
  begin(deliver: Deliver): () => void {
    const call = new Askable(deliver);
    this.#askable.append(call);
    this.#askableCount += 1;
    return () => {
      if (!this.#askable.has(call)) return;
      this.#askable.remove(call);
      this.#askableCount -= 1;
    };
  }

  receive(incoming: Incoming, transport: Transport, own?: CallListeners): void {
    if (incoming.kind === 'request') {
      const call = own === undefined ? this.#causeOf(incoming.message.method, transport) : undefined;
      if (call !== undefined) {
        call(incoming);
        return;
      }
      const leave = this.#open.enter(incoming.message);
      // To refuse it would cost as much as an answer.
      if (leave === undefined) {
        own?.onAnswered?.();
        return;
      }
      void this.#answer(incoming, transport, own?.onRequest).finally(() => {
        leave();
        own?.onAnswered?.();
      });
      return;
    }
    if (this.progress.take(incoming.message)) return;
    if (incoming.message.method === 'notifications/cancelled') this.requests.cancel(incoming.message.params);
    own?.onNotification?.(incoming.message);
    this.emit(incoming.message, own !== undefined);
  }

  emit(notification: JsonRpcNotification, ofCall = false): void {
    this.#options.onNotification?.(notification);
    for (const listener of this.#listeners) {
      listener(notification, ofCall);
    }
  }

  /**
   * A server may ask on the stream of its session although a call made it ask. Where nobody answers for the whole session,
   * the call in flight does; with several there is no telling which of them.
   */
  #causeOf(method: string, transport: Transport): Deliver | undefined {
    if (this.requests.find(method) !== undefined || method === 'ping' || this.#isAmbiguous(transport)) return undefined;
    return this.#askable.first?.deliver;
  }

  /** Calls on the fast path count: any of them may have made the server ask. */
  #isAmbiguous({ sentAsBytes = 0 }: Transport): boolean {
    return this.#askableCount + sentAsBytes > 1;
  }

  async #answer(incoming: Incoming & { kind: 'request' }, transport: Transport, own?: RequestHandler): Promise<void> {
    if (!this.#options.mayAsk(transport)) return;
    const isAmbiguous =
      own === undefined && this.#isAmbiguous(transport) && this.requests.find(incoming.message.method) === undefined;
    const response = await this.requests.answer(incoming.message, own ?? (isAmbiguous ? refuseAmbiguous : undefined));
    using deadline = deadlineSignal(ANSWER_MS);
    // Nobody can be told that an answer did not arrive, except by the call that needed it.
    await transport.send(response, deadline.signal).catch(() => undefined);
  }
}
