import { META } from '../json-rpc/meta-key.js';
import {
  isObject,
  isResponse,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcResponse,
} from '../json-rpc/message.js';
import { MODERN_REVISIONS, type Era } from '../definition/era.js';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What came before the response. */
  readonly messages: readonly JsonRpcMessage[];
  readonly response: JsonRpcResponse | undefined;
}

export interface RawHttpOptions {
  /** Default: legacy. */
  readonly era?: Era;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a modern client declares with each request. */
  readonly capabilities?: JsonObject;
}

interface RawRequestOptions {
  /** An undefined value removes the header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

const parsed = (text: string): readonly JsonRpcMessage[] => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value)
      ? (value as JsonRpcMessage[])
      : isObject(value)
        ? [value as unknown as JsonRpcMessage]
        : [];
  } catch {
    return [];
  }
};

const defined = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** The JSON-RPC messages of a whole event stream; events without JSON are left out. */
export const sseMessages = (text: string): readonly JsonRpcMessage[] =>
  text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).replace(/^ /, ''))
      .join('\n');
    try {
      return [JSON.parse(data) as JsonRpcMessage];
    } catch {
      return [];
    }
  });

/** Speaks to a Streamable HTTP endpoint without any library: what is sent is what the test says. */
export class RawHttpClient {
  readonly url: string;
  sessionId: string | undefined;
  readonly #options: RawHttpOptions;
  #lastId = 0;

  constructor(url: string, options: RawHttpOptions = {}) {
    this.url = url;
    this.#options = options;
  }

  /** The legacy handshake; the session id is kept for what follows. */
  async initialize(protocolVersion = '2025-11-25', capabilities: JsonObject = {}): Promise<RawAnswer> {
    this.sessionId = undefined;
    const clientInfo = { name: 'raw-client', version: '1.0.0' };
    const answer = await this.request('initialize', { protocolVersion, capabilities, clientInfo });
    this.sessionId = answer.headers.get('mcp-session-id') ?? undefined;
    if (answer.response?.result !== undefined) await this.notify('notifications/initialized');
    return answer;
  }

  async request(method: string, params: JsonObject = {}, options: RawRequestOptions = {}): Promise<RawAnswer> {
    this.#lastId += 1;
    const modern = this.#options.era === 'modern';
    const message = { jsonrpc: '2.0', id: this.#lastId, method, params: modern ? this.#withMeta(params) : params };
    const mirrored = modern ? this.#mirror(method, params) : {};
    return await this.post(message, { ...options, headers: { ...mirrored, ...options.headers } });
  }

  async notify(method: string, params: JsonObject = {}): Promise<RawAnswer> {
    return await this.post({ jsonrpc: '2.0', method, params });
  }

  /** Posts this body: a string as it is, anything else as JSON. */
  async post(body: unknown, options: RawRequestOptions = {}): Promise<RawAnswer> {
    const response = await this.fetch('POST', {
      ...options,
      headers: { 'content-type': 'application/json', ...options.headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const messages = streamed ? sseMessages(text) : parsed(text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      messages: messages.filter((message) => !isResponse(message)),
      response: messages.find(isResponse),
    };
  }

  /** Any verb; the body is left unread. */
  async fetch(verb: string, options: RawRequestOptions & { readonly body?: string } = {}): Promise<Response> {
    return await fetch(this.url, {
      method: verb,
      headers: defined({
        accept: 'application/json, text/event-stream',
        'mcp-session-id': this.sessionId,
        ...this.#options.headers,
        ...options.headers,
      }),
      ...(options.body === undefined ? {} : { body: options.body }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }

  #withMeta(params: JsonObject): JsonObject {
    const own = isObject(params['_meta']) ? params['_meta'] : {};
    return {
      ...params,
      _meta: {
        [META.protocolVersion]: MODERN_REVISIONS[0],
        [META.clientInfo]: { name: 'raw-client', version: '1.0.0' },
        [META.clientCapabilities]: this.#options.capabilities ?? {},
        ...own,
      },
    };
  }

  #mirror(method: string, params: JsonObject): Record<string, string> {
    const name = params['name'] ?? params['uri'] ?? params['taskId'];
    return {
      'mcp-protocol-version': MODERN_REVISIONS[0],
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    };
  }
}

export const rawHttpClient = (url: string, options: RawHttpOptions = {}): RawHttpClient =>
  new RawHttpClient(url, options);
