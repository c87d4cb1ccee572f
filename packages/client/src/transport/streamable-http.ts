import { deadlineSignal } from '@plugboard/base';
import {
  type JsonRpcFailure,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type JsonRpcResult,
  type Revision,
} from '@plugboard/wire';
import { McpConnectionError, McpProtocolError } from '../error/error-family.js';
import { McpClientError } from '../error/client-error.js';
import type { Redact } from '../redact/redaction.js';
import { sessionLostError, speaksOfSession } from '../session/loss/session-loss.js';
import { AnswerStream } from './answer-stream.js';
import { answersRequest } from './answers-request.js';
import { discard, fieldOf, type HttpAnswer, type HttpChannel } from './http-channel.js';
import { readRefusal } from './http-refusal.js';
import { readAnswer } from './read-answer.js';
import { readText } from './read-body.js';
import { followServerStream } from './server-stream.js';
import type { Exchange, PostTarget, Transport, TransportEvents } from './transport.js';

export interface StreamableHttpOptions {
  readonly channel: HttpChannel;
  readonly url: URL;
  readonly events: TransportEvents;
  readonly redact: Redact;
  /** A session that was opened earlier and may still be known to the server. */
  readonly sessionId?: string | undefined;
  /** Closing leaves the session open on the server. */
  readonly keepSession?: boolean | undefined;
}

const ACCEPT = 'application/json, text/event-stream';
const DELETE_MS = 3_000;
const VERSION_FIELD = 'MCP-Protocol-Version';

/** The id of a request whose answer comes soon: a stream of subscriptions stays open. */
const telltaleId = (message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse): number | undefined =>
  'method' in message && 'id' in message && typeof message.id === 'number' && message.method !== 'subscriptions/listen'
    ? message.id
    : undefined;

/** One POST per message. Legacy servers may add a session and a stream of their own; modern ones have neither. */
export class StreamableHttpTransport implements Transport {
  readonly kind = 'streamable_http';
  readonly #options: StreamableHttpOptions;
  #revision: Revision | undefined;
  #sessionId: string | undefined;
  #forgotten = false;

  constructor(options: StreamableHttpOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  async open(): Promise<void> {
    // There is no connection of its own: the first POST shows whether the server is there.
  }

  adopt(revision: Revision): void {
    this.#revision = revision;
  }

  async request(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    const answer = await this.#post(message, exchange.signal, exchange);
    if (message.method === 'initialize' && answer.status < 300) {
      this.#sessionId = fieldOf(answer.headers, 'mcp-session-id');
    }
    const response = await this.#readAnswer(message, answer, exchange);
    if ('error' in response && this.#revision?.features.sessions === true && speaksOfSession(response.error)) {
      this.#forgotten = true;
      throw sessionLostError(`it said "${this.#options.redact(response.error.message)}"`);
    }
    return response;
  }

  async send(message: JsonRpcNotification | JsonRpcResult | JsonRpcFailure, signal: AbortSignal): Promise<void> {
    const answer = await this.#post(message, signal);
    if (answer.status >= 300) {
      await this.#refuse(answer, signal);
    } else {
      await discard(answer);
    }
  }

  async listen(signal: AbortSignal, onOpen?: () => void): Promise<void> {
    const { channel, url, events } = this.#options;
    await followServerStream({
      open: (lastEventId, streamSignal) =>
        channel.ask({
          method: 'GET',
          url,
          headers: {
            ...this.#sessionHeaders({ jsonrpc: '2.0', method: 'GET' }),
            accept: 'text/event-stream',
            ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
          },
          signal: streamSignal,
        }),
      host: url.host,
      events,
      signal,
      onOpen,
    });
  }

  direct(): PostTarget {
    const { channel, url } = this.#options;
    return {
      kind: 'post',
      channel,
      url,
      fields: (proof) => ({
        ...channel.fields,
        ...proof,
        ...(this.#revision?.features.protocolVersionHeader === true ? { [VERSION_FIELD]: this.#revision.id } : {}),
        ...(this.#sessionId === undefined ? {} : { 'mcp-session-id': this.#sessionId }),
        accept: ACCEPT,
        'content-type': 'application/json',
      }),
    };
  }

  /** Tells the server that the session is over, unless it already said so itself. */
  async close(): Promise<void> {
    const { channel, url, keepSession } = this.#options;
    if (this.#sessionId === undefined || this.#forgotten || keepSession === true) return;
    using deadline = deadlineSignal(DELETE_MS);
    try {
      const headers = this.#sessionHeaders({ jsonrpc: '2.0', method: 'DELETE' });
      await discard(await channel.ask({ method: 'DELETE', url, headers, signal: deadline.signal }));
    } catch {
      // A server that is gone has no session either.
    } finally {
      this.#sessionId = undefined;
    }
  }

  #sessionHeaders(message: JsonRpcNotification): Readonly<Record<string, string>> {
    const fields = this.#revision?.httpHeaders(message) ?? {};
    return this.#sessionId === undefined ? fields : Object.assign({}, fields, { 'mcp-session-id': this.#sessionId });
  }

  #post(
    message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse,
    signal: AbortSignal,
    { headers, underWay, onActivity }: Pick<Exchange, 'headers' | 'underWay' | 'onActivity'> = {},
  ): Promise<HttpAnswer> {
    const call: JsonRpcNotification = 'method' in message ? message : { jsonrpc: '2.0', method: '' };
    return this.#options.channel.ask({
      method: 'POST',
      url: this.#options.url,
      // Several spreads in one literal cost five times as much as this.
      headers: Object.assign(
        {},
        call.method === 'initialize' ? undefined : this.#sessionHeaders(call),
        { accept: ACCEPT, 'content-type': 'application/json' },
        headers,
      ),
      body: () => JSON.stringify(message),
      id: telltaleId(message),
      onActivity,
      signal,
      underWay: underWay?.kind === 'post' ? underWay : undefined,
    });
  }

  async #readAnswer(message: JsonRpcRequest, answer: HttpAnswer, exchange: Exchange): Promise<JsonRpcResponse> {
    if (answer.status >= 300) return this.#refuse(answer, exchange.signal);
    const type = fieldOf(answer.headers, 'content-type') ?? '';
    if (type.includes('text/event-stream')) return this.#readStream(message, answer, exchange);
    const { url } = this.#options;
    const { messages, isEmpty } = await readAnswer(answer, {
      id: message.id,
      signal: exchange.signal,
      host: url.host,
      onActivity: exchange.onActivity,
      openLarge: exchange.openLarge,
    });
    let reason: string | undefined;
    for (const classified of messages) {
      switch (classified.kind) {
        case 'request':
        case 'notification':
          exchange.onIncoming(classified);
          break;
        case 'result':
        case 'failure':
          // An answer to somebody else must never be taken for ours.
          if (answersRequest(classified.message, message.id)) return classified.message;
          this.#options.channel.distrust();
          break;
        case 'invalid':
          reason = classified.reason;
          break;
      }
    }
    throw new McpProtocolError(
      isEmpty || type.includes('json') ? 'UPSTREAM_PROTOCOL' : 'UPSTREAM_NOT_MCP',
      `${url.host} answered a request with HTTP status ${answer.status} and no JSON-RPC answer in it${reason === undefined ? '' : `: ${reason}`}.`,
      {
        hint: 'Check that this is the URL of an MCP endpoint. It may be a web page.',
        delivery: 'ambiguous',
        details: { http_status: answer.status, content_type: type },
      },
    );
  }

  #readStream(message: JsonRpcRequest, answer: HttpAnswer, exchange: Exchange): Promise<JsonRpcResponse> {
    const { channel, url } = this.#options;
    const resumable = this.#revision?.features.resumableStreams === true;
    return new AnswerStream({
      id: message.id,
      host: url.host,
      exchange,
      onForeign: () => channel.distrust(),
      resume: resumable
        ? (lastEventId) =>
            channel.ask({
              method: 'GET',
              url,
              headers: { ...this.#sessionHeaders(message), accept: 'text/event-stream', 'last-event-id': lastEventId },
              signal: exchange.signal,
            })
        : undefined,
    }).read(answer);
  }

  async #refuse(answer: HttpAnswer, signal: AbortSignal): Promise<JsonRpcFailure> {
    const { url, redact } = this.#options;
    const text = await readText(answer, { signal, host: url.host }).catch((thrown: unknown) => {
      // The status has said enough, unless the caller gave up.
      if (signal.aborted || !(thrown instanceof McpConnectionError)) throw thrown;
      return '';
    });
    try {
      return readRefusal(answer, text, { host: url.host, redact, established: this.#revision !== undefined });
    } catch (thrown) {
      this.#forgotten ||= thrown instanceof McpClientError && thrown.kind === 'session';
      throw thrown;
    }
  }
}
