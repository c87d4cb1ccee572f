import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@plugboard/contract';
import { buildResult, type JsonRpcRequest, type JsonRpcResponse } from '@plugboard/wire';
import { McpClientError } from '../error/client-error.js';
import { McpProtocolError } from '../error/error-family.js';
import type { Redact } from '../redact/redaction.js';
import { AnswerStream } from './answer-stream.js';
import { answersRequest } from './answers-request.js';
import { messagesFrom } from './incoming-messages.js';
import { fieldOf, type HttpAnswer, type HttpChannel } from './http-channel.js';
import { readRefusal } from './http-refusal.js';
import { readText } from './read-body.js';
import type { Exchange, Transport, TransportEvents } from './transport.js';

export interface PostSseOptions {
  readonly channel: HttpChannel;
  readonly url: URL;
  readonly events: TransportEvents;
  readonly redact: Redact;
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'list_tools'],
  ['tools/call', 'call_tool'],
]);

const DOES_NOT_KNOW: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UPSTREAM_PROTOCOL',
  'UPSTREAM_WRONG_URL',
  'UPSTREAM_NOT_MCP',
  'UPSTREAM_UNAVAILABLE',
]);

/** What is assumed of a server that has no handshake. */
const greeting = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: {} },
  serverInfo: { name: 'post-sse', version: '0' },
};

/** The profile of servers that take `list_tools` and `call_tool` at `POST /sse` and know their callers by `x-session-id`. */
export class PostSseTransport implements Transport {
  readonly kind = 'sse';
  readonly #options: PostSseOptions;
  #sessionId: string | undefined;
  #established = false;

  constructor(options: PostSseOptions) {
    this.#options = options;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  async open(): Promise<void> {
    // There is no connection of its own: the first POST shows whether the server is there.
  }

  adopt(): void {
    this.#established = true;
  }

  async request(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    if (message.method === 'initialize') return this.#greet(message, exchange);
    const method = METHODS.get(message.method);
    if (method === undefined) {
      throw new McpProtocolError('METHOD_NOT_FOUND', `This server does not know ${message.method}.`, {
        hint: 'Servers of this profile only list and call tools.',
      });
    }
    return this.#ask({ ...message, method }, exchange);
  }

  /** Some of these servers hand out the session at initialize; the others do not know it, and take any name. */
  async #greet(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    try {
      const response = await this.#ask(message, exchange);
      if ('result' in response) return response;
    } catch (thrown) {
      if (!(thrown instanceof McpClientError) || !DOES_NOT_KNOW.has(thrown.code)) throw thrown;
    }
    this.#sessionId ??= randomUUID();
    return buildResult(message.id, greeting);
  }

  async #ask(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    const { channel, url } = this.#options;
    const answer = await channel.ask({
      method: 'POST',
      url,
      headers: {
        accept: 'text/event-stream, application/json',
        'content-type': 'application/json',
        ...(this.#sessionId === undefined ? {} : { 'x-session-id': this.#sessionId }),
      },
      body: () => JSON.stringify(message),
      signal: exchange.signal,
    });
    this.#sessionId = fieldOf(answer.headers, 'x-session-id') ?? this.#sessionId;
    return this.#read(message, answer, exchange);
  }

  async send(): Promise<void> {
    // There are no notifications in this profile.
  }

  async close(): Promise<void> {
    this.#sessionId = undefined;
  }

  async #read(message: JsonRpcRequest, answer: HttpAnswer, exchange: Exchange): Promise<JsonRpcResponse> {
    const { host } = this.#options.url;
    const streams = fieldOf(answer.headers, 'content-type')?.includes('text/event-stream') === true;
    if (answer.status < 300 && streams) return new AnswerStream({ id: message.id, host, exchange }).read(answer);
    const text = await readText(answer, { signal: exchange.signal, host, onActivity: exchange.onActivity });
    if (answer.status >= 300) {
      return readRefusal(answer, text, { host, redact: this.#options.redact, established: this.#established });
    }
    const [first] = messagesFrom(host, text);
    if ((first?.kind === 'result' || first?.kind === 'failure') && answersRequest(first.message, message.id)) {
      return first.message;
    }
    throw new McpProtocolError('UPSTREAM_NOT_MCP', `${host} answered with something that is not JSON-RPC.`, {
      delivery: 'ambiguous',
    });
  }
}
