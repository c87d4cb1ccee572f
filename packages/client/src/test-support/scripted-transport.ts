import {
  buildFailure,
  buildResult,
  type JsonRpcErrorBody,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type Revision,
} from '@plugboard/wire';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import type { Exchange, Transport, TransportKind } from '../transport/transport.js';

export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: JsonRpcErrorBody;
}

export type RpcScript = (message: JsonRpcRequest, exchange: Exchange) => RpcAnswer | 'hang' | Promise<RpcAnswer>;

/** A transport without a link: a function answers each request. */
export class ScriptedTransport implements Transport {
  readonly sent: JsonRpcMessage[] = [];
  readonly sessionId = undefined;
  readonly kind: TransportKind;
  adopted: Revision | undefined;
  closed = 0;
  readonly #script: RpcScript;

  constructor(script: RpcScript, kind: TransportKind = 'streamable_http') {
    this.#script = script;
    this.kind = kind;
  }

  async open(): Promise<void> {
    this.closed = 0;
  }

  adopt(revision: Revision): void {
    this.adopted = revision;
  }

  async request(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    this.sent.push(message);
    const answer = await this.#script(message, exchange);
    if (answer === 'hang') return waitWithSignal(new Promise<never>(() => undefined), exchange.signal, 'ambiguous');
    return answer.error === undefined
      ? buildResult(message.id, answer.result ?? {})
      : buildFailure(message.id, answer.error);
  }

  async send(message: JsonRpcMessage): Promise<void> {
    this.sent.push(message);
  }

  async close(): Promise<void> {
    this.closed += 1;
  }

  get methods(): readonly string[] {
    return this.sent.flatMap((message) => ('method' in message ? [message.method] : []));
  }
}
