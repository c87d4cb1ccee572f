import { ApiError } from '../api-error.js';
import type { Http } from '../http.js';
import { SseReader } from '../sse-reader.js';

type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A message of the protocol, as it passed between the page and the hub. */
export interface PassedMessage {
  readonly way: 'sent' | 'received';
  readonly message: object;
}

type Watcher = (passed: PassedMessage) => void;

export interface McpCall {
  readonly signal?: AbortSignal | undefined;
  /** Progress and log messages that belong to the call. */
  readonly onNotification?: (method: string, params: Params) => void;
  /** The server asks something before it answers: elicitation, sampling, roots. */
  readonly onRequest?: (method: string, params: Params) => Promise<unknown>;
}

interface Asked {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: Params;
}

const PROTOCOL = '2025-11-25';
const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};
const METHOD_NOT_FOUND = -32_601;
const INTERNAL = -32_603;

const hintIn = (data: unknown): { readonly hint?: string } => {
  const hint = typeof data === 'object' && data !== null ? (data as Params)['hint'] : undefined;
  return typeof hint === 'string' ? { hint } : {};
};

const failure = ({ code, message, data }: NonNullable<Message['error']>): ApiError =>
  new ApiError(200, { code: String(code), message, ...hintIn(data) });

const hasLogging = (result: unknown): boolean => {
  const { capabilities } = (result ?? {}) as { readonly capabilities?: Params };
  return capabilities?.['logging'] !== undefined;
};

/** A session with an MCP endpoint of the hub. The page is an MCP client like any other. */
export class McpConnection {
  readonly #http: Http;
  readonly #path: string;
  #session: Promise<string | undefined> | undefined;
  #greeting: unknown;
  #lastId = 0;
  #holders = 0;
  readonly #watchers = new Set<Watcher>();

  constructor(http: Http, path: string) {
    this.#http = http;
    this.#path = path;
  }

  async request(method: string, params: Params, call: McpCall = {}): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const cancel = (): void => {
      void this.#notify('notifications/cancelled', { requestId: id, reason: 'cancelled in the console' });
    };
    call.signal?.addEventListener('abort', cancel, { once: true });
    try {
      const meta = { ...(params['_meta'] as Params | undefined), progressToken: id };
      return await this.#ask({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }, call);
    } finally {
      call.signal?.removeEventListener('abort', cancel);
    }
  }

  /** What the server says of itself when a session is opened: its name, capabilities and instructions. */
  async greeting(): Promise<unknown> {
    this.#session ??= this.#open();
    await this.#session;
    return this.#greeting;
  }

  /** Shows each message of the session, until what this returns is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #tell(passed: PassedMessage): void {
    for (const watcher of this.#watchers) watcher(passed);
  }

  /** Keeps the session until what this returns is called. A page that lets go and comes back at once keeps it. */
  hold(): () => void {
    this.#holders += 1;
    return () => {
      this.#holders -= 1;
      setTimeout(() => {
        if (this.#holders === 0) void this.close();
      });
    };
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    if (session === undefined) return;
    await this.#http
      .send(this.#path, { method: 'DELETE', headers: { 'mcp-session-id': session } })
      .catch(() => undefined);
  }

  /** A session that the hub no longer has is opened again, once. */
  async #ask(message: Asked, call: McpCall): Promise<unknown> {
    try {
      return await this.#exchange(message, call);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 404) throw thrown;
      this.#session = undefined;
      return this.#exchange(message, call);
    }
  }

  async #exchange(message: Asked, call: McpCall): Promise<unknown> {
    const response = await this.#post(message, call.signal);
    const mine = ({ id, method }: Message): boolean => id === message.id && method === undefined;
    for await (const heard of this.#messagesOf(response)) {
      if (!mine(heard)) {
        this.#hear(heard, call);
        continue;
      }
      if (heard.error !== undefined) throw failure(heard.error);
      return heard.result;
    }
    throw new ApiError(200, { code: 'UPSTREAM_CLOSED', message: 'The answer ended before it was complete.' });
  }

  #hear({ id, method, params = {} }: Message, { onNotification, onRequest }: McpCall): void {
    if (method === undefined) return;
    if (id === undefined) onNotification?.(method, params);
    else void this.#reply(id, method, params, onRequest);
  }

  async #reply(id: string | number, method: string, params: Params, answer: McpCall['onRequest']): Promise<void> {
    const outcome = await (async () => {
      if (method === 'ping') return { result: {} };
      if (answer === undefined) return { error: { code: METHOD_NOT_FOUND, message: 'Not supported here.' } };
      try {
        return { result: await answer(method, params) };
      } catch (thrown) {
        return { error: { code: INTERNAL, message: thrown instanceof Error ? thrown.message : 'Failed.' } };
      }
    })();
    await this.#post({ jsonrpc: '2.0', id, ...outcome }).catch(() => undefined);
  }

  async #notify(method: string, params: Params): Promise<void> {
    await this.#post({ jsonrpc: '2.0', method, params }).catch(() => undefined);
  }

  async #post(message: object, signal?: AbortSignal): Promise<Response> {
    this.#session ??= this.#open();
    const session = await this.#session;
    return this.#send(message, session, signal);
  }

  #send(message: object, session: string | undefined, signal?: AbortSignal): Promise<Response> {
    this.#tell({ way: 'sent', message });
    return this.#http.send(this.#path, {
      method: 'POST',
      body: message,
      signal,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': PROTOCOL }),
      },
    });
  }

  async #open(): Promise<string | undefined> {
    const params = {
      protocolVersion: PROTOCOL,
      capabilities: CAPABILITIES,
      clientInfo: { name: 'plugboard-console', version: '1' },
    };
    try {
      const response = await this.#send({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, undefined);
      const session = response.headers.get('mcp-session-id') ?? undefined;
      let logs = false;
      for await (const { error, result } of this.#messagesOf(response)) {
        if (error !== undefined) throw failure(error);
        this.#greeting = result;
        logs = hasLogging(result);
      }
      await this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
      if (logs) await this.#wantLogs(session);
      return session;
    } catch (thrown) {
      this.#session = undefined;
      throw thrown;
    }
  }

  /** A server that does not want to be told the level still answers calls. */
  async #wantLogs(session: string | undefined): Promise<void> {
    const message = { jsonrpc: '2.0', id: 'log level', method: 'logging/setLevel', params: { level: 'debug' } };
    const response = await this.#send(message, session).catch(() => undefined);
    await response?.body?.cancel().catch(() => undefined);
  }

  #received(text: string): Message {
    const message = JSON.parse(text) as Message;
    this.#tell({ way: 'received', message });
    return message;
  }

  async *#messagesOf(response: Response): AsyncGenerator<Message> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
      const text = await response.text();
      if (text !== '') yield this.#received(text);
      return;
    }
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const events = new SseReader();
    try {
      for (;;) {
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) return;
        for (const data of events.feed(chunk.value)) if (data !== '') yield this.#received(data);
      }
    } finally {
      await reader?.cancel().catch(() => undefined);
    }
  }
}
