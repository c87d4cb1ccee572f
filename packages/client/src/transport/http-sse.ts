import { deferred } from '@plugboard/base';
import {
  type JsonRpcFailure,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type JsonRpcResult,
  type Revision,
  type SseEvent,
} from '@plugboard/wire';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { throwIfAborted } from '../error/aborted-error.js';
import type { McpClientError } from '../error/client-error.js';
import { McpConnectionError, McpProtocolError } from '../error/error-family.js';
import { toClientError } from '../error/to-client-error.js';
import type { Redact } from '../redact/redaction.js';
import { sessionLostError, speaksOfSession } from '../session/loss/session-loss.js';
import { messagesFrom } from './incoming-messages.js';
import { ChannelPace } from './channel-pace.js';
import { fieldOf, type HttpAnswer, type HttpChannel } from './http-channel.js';
import { readRefusal } from './http-refusal.js';
import { PendingAnswers } from './pending-answers.js';
import { readText } from './read-body.js';
import { readEvents } from './read-events.js';
import { takeMessage } from './take-message.js';
import type { Exchange, Transport, TransportEvents } from './transport.js';

export interface HttpSseOptions {
  readonly channel: HttpChannel;
  readonly url: URL;
  readonly events: TransportEvents;
  readonly redact: Redact;
}

/** HTTP+SSE of 2024-11-05: one long stream brings every answer, messages are posted to the address it names first. */
export class HttpSseTransport implements Transport {
  readonly kind = 'sse';
  readonly #options: HttpSseOptions;
  readonly #pending = new PendingAnswers();
  readonly #pace: ChannelPace;
  readonly #stream = new AbortController();
  #endpoint: URL | undefined;
  #revision: Revision | undefined;
  #lost: McpClientError | undefined;

  constructor(options: HttpSseOptions) {
    this.#options = options;
    this.#pace = new ChannelPace(this.#pending, () => options.events.pace);
  }

  /** The server's name for the stream, where its endpoint shows one. */
  get sessionId(): string | undefined {
    const query = this.#endpoint?.searchParams;
    return query?.get('sessionId') ?? query?.get('session_id') ?? undefined;
  }

  adopt(revision: Revision): void {
    this.#revision = revision;
  }

  async open(signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, 'not-executed');
    const { url, channel, redact } = this.#options;
    const onAbort = (): void => this.#stream.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const headers = { accept: 'text/event-stream', 'cache-control': 'no-store' };
      const answer = await channel.ask({ method: 'GET', url, headers, signal: this.#stream.signal });
      if (answer.status !== 200) {
        const text = await readText(answer, { signal, host: url.host });
        readRefusal(answer, text, { host: url.host, redact, established: false });
      }
      if (fieldOf(answer.headers, 'content-type')?.includes('text/event-stream') !== true) {
        answer.body.destroy();
        throw notAnEventStream(url.host, answer);
      }
      await this.#awaitEndpoint(answer, signal);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async request(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    this.#assertOpen();
    const pending = this.#pending.add(message, exchange);
    this.#pace.joined();
    try {
      await this.#post(message, exchange.signal);
    } catch (thrown) {
      // Also when the stream is gone meanwhile: this says better what became of the message.
      this.#pending.drop(message.id, thrown);
      throw thrown;
    }
    const response = await pending;
    if (this.#revision !== undefined && 'error' in response && speaksOfSession(response.error)) {
      throw sessionLostError(`it said "${this.#options.redact(response.error.message)}"`);
    }
    return response;
  }

  async send(message: JsonRpcNotification | JsonRpcResult | JsonRpcFailure, signal: AbortSignal): Promise<void> {
    this.#assertOpen();
    await this.#post(message, signal);
  }

  async close(): Promise<void> {
    this.#lost ??= closedError(this.#options.url.host, undefined);
    this.#stream.abort(this.#lost);
    this.#pending.fail(this.#lost);
  }

  #assertOpen(): void {
    if (this.#lost !== undefined) throw this.#lost.with({ delivery: 'not-executed' });
  }

  async #awaitEndpoint(answer: HttpAnswer, signal: AbortSignal): Promise<void> {
    const { host } = this.#options.url;
    const endpoint = deferred<URL>();
    const reading = readEvents(answer, {
      signal: this.#stream.signal,
      host,
      pace: this.#pace.next,
      onEvent: (event) => this.#receive(event, endpoint.resolve, endpoint.reject),
    });
    void reading.then(
      () => this.#end(undefined, endpoint.reject),
      (thrown: unknown) => this.#end(thrown, endpoint.reject),
    );
    try {
      this.#endpoint = await waitWithSignal(endpoint.promise, signal, 'not-executed');
    } catch (thrown) {
      this.#stream.abort(thrown);
      throw toClientError(thrown).with({ delivery: 'not-executed' });
    }
  }

  #end(cause: unknown, reject: (reason: unknown) => void): void {
    const closing = this.#lost !== undefined;
    this.#lost ??= closedError(this.#options.url.host, cause);
    reject(this.#lost);
    this.#pending.fail(this.#lost);
    if (!closing && this.#endpoint !== undefined) this.#options.events.onLost(this.#lost);
  }

  #receive(event: SseEvent, found: (endpoint: URL) => void, refused: (reason: unknown) => void): void {
    const { url, events } = this.#options;
    if (event.event === 'endpoint') {
      const endpoint = URL.canParse(event.data, url.href) ? new URL(event.data, url) : undefined;
      if (endpoint === undefined || endpoint.origin !== url.origin) {
        refused(new McpProtocolError('UPSTREAM_PROTOCOL', `${url.host} named an endpoint outside its own origin.`));
        return;
      }
      found(endpoint);
      return;
    }
    const listening = {
      onIncoming: events.onIncoming,
      onNoise: (reason: string) => events.onNoise?.(reason),
    };
    for (const classified of messagesFrom(url.host, event.data)) takeMessage(classified, this.#pending, listening);
  }

  async #post(message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse, signal: AbortSignal): Promise<void> {
    const { channel, url, redact } = this.#options;
    const answer = await channel.ask({
      method: 'POST',
      url: this.#endpoint ?? url,
      headers: { 'content-type': 'application/json', ...this.#versionHeaders(message) },
      body: () => JSON.stringify(message),
      signal,
    });
    const text = await readText(answer, { signal, host: url.host });
    if (answer.status >= 300) {
      const failure = readRefusal(answer, text, { host: url.host, redact, established: this.#revision !== undefined });
      this.#pending.answer('id' in message ? { ...failure, id: message.id } : failure);
      return;
    }
    // Some servers answer on the spot and not on the stream.
    for (const classified of text === '' ? [] : messagesFrom(this.#options.url.host, text)) {
      if (classified.kind === 'result' || classified.kind === 'failure') this.#pending.answer(classified.message);
    }
  }

  #versionHeaders(message: JsonRpcRequest | JsonRpcNotification | JsonRpcResponse): Readonly<Record<string, string>> {
    return 'method' in message ? (this.#revision?.httpHeaders(message) ?? {}) : {};
  }
}

const closedError = (host: string, cause: unknown): McpClientError =>
  new McpConnectionError('UPSTREAM_CLOSED', `${host} closed its event stream.`, {
    hint: 'The server may have crashed or been restarted. Look at its log.',
    delivery: 'ambiguous',
    cause,
  });

const notAnEventStream = (host: string, answer: HttpAnswer): McpClientError =>
  new McpProtocolError('UPSTREAM_NOT_MCP', `${host} did not open an event stream.`, {
    hint: 'This URL is not the event stream of an HTTP+SSE server; try Streamable HTTP.',
    details: { http_status: answer.status, content_type: fieldOf(answer.headers, 'content-type') ?? null },
  });
