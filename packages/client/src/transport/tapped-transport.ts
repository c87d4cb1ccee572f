import type {
  JsonRpcFailure,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcResult,
  Revision,
} from '@plugboard/wire';
import type { Redact } from '../redact/redaction.js';
import type { DirectTarget, Exchange, Incoming, Transport, TransportEvents, TransportKind } from './transport.js';
import type { SeenMessage, WireTap } from './wire-tap.js';

/** What a tap on one connection needs. */
export interface TapOptions {
  readonly tap: WireTap;
  readonly redact: Redact;
}

/** A transport whose messages a tap sees. While the tap is closed, everything passes as it is. */
export class TappedTransport implements Transport {
  readonly #inner: Transport;
  readonly #options: TapOptions;
  readonly direct?: () => DirectTarget;
  readonly listen?: NonNullable<Transport['listen']>;

  constructor(inner: Transport, options: TapOptions) {
    this.#inner = inner;
    this.#options = options;
    if (inner.direct !== undefined) this.direct = inner.direct.bind(inner);
    if (inner.listen !== undefined) this.listen = inner.listen.bind(inner);
  }

  get kind(): TransportKind {
    return this.#inner.kind;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get sentAsBytes(): number | undefined {
    return this.#inner.sentAsBytes;
  }

  open(signal: AbortSignal): Promise<void> {
    return this.#inner.open(signal);
  }

  request(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    return this.#options.tap.isOpen ? this.#seenRequest(message, exchange) : this.#inner.request(message, exchange);
  }

  send(message: JsonRpcNotification | JsonRpcResult | JsonRpcFailure, signal: AbortSignal): Promise<void> {
    this.#see('sent', message);
    return this.#inner.send(message, signal);
  }

  adopt(revision: Revision): void {
    this.#inner.adopt(revision);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #seenRequest(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    const { callId } = exchange;
    // What was sent on the fast path was seen there.
    if (exchange.underWay === undefined) this.#see('sent', message, callId);
    const response = await this.#inner.request(message, {
      ...exchange,
      onIncoming: (incoming) => {
        this.#see('received', incoming.message, callId);
        exchange.onIncoming(incoming);
      },
    });
    this.#see('received', response, callId);
    return response;
  }

  #see(direction: SeenMessage['direction'], message: SeenMessage['message'], callId?: string): void {
    const { tap, redact } = this.#options;
    if (tap.isOpen) tap.see({ direction, transport: this.#inner.kind, message, callId, redact });
  }
}

/** Events of a transport, with what belongs to no request seen by the tap. */
export const tappedEvents = (
  events: TransportEvents,
  kind: TransportKind,
  { tap, redact }: TapOptions,
): TransportEvents => ({
  onIncoming: (incoming: Incoming) => {
    if (tap.isOpen) {
      tap.see({ direction: 'received', transport: kind, message: incoming.message, callId: undefined, redact });
    }
    events.onIncoming(incoming);
  },
  // Read each time: it may change while the transport is open.
  get pace() {
    return events.pace;
  },
  onQueued: events.onQueued,
  onNoise: events.onNoise,
  onLost: events.onLost,
});
