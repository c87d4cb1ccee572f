import type { ListenFilter, RequestHandler, RequestOptions } from '@plugboard/client';
import type { ServerProtocol, ToolDefinition, ToolResult } from '@plugboard/contract';
import type { JsonObject, JsonRpcNotification } from '@plugboard/wire';
import type { UpstreamClient } from '../connection/upstream-client.js';

export interface Recorded {
  readonly method: string;
  readonly params: unknown;
  readonly options: RequestOptions;
}

export interface RecordingClientOptions {
  readonly protocol?: Partial<ServerProtocol>;
  readonly capabilities?: JsonObject;
  readonly sessionId?: string;
  /** Thrown by every attempt to open it. */
  readonly refusal?: Error;
  /** For calls on the fast path. */
  readonly direct?: UpstreamClient['direct'];
}

const PROTOCOL: ServerProtocol = {
  era: 'legacy',
  revision: '2025-11-25',
  transport: 'streamable_http',
  checked_at: '2026-11-01T00:00:00.000Z',
};

/** A connection that answers from a function and remembers what it was asked. It counts as open from its first use. */
export class RecordingClient implements UpstreamClient {
  readonly #protocol: ServerProtocol;
  readonly #capabilities: JsonObject;
  readonly asked: Recorded[] = [];
  readonly notified: { readonly method: string; readonly params: unknown }[] = [];
  readonly handlers = new Map<string, RequestHandler>();
  disposed = 0;
  connected = false;
  readonly #listeners = new Set<(notification: JsonRpcNotification, ofCall: boolean) => void>();
  readonly #answer: (asked: Recorded) => unknown;
  readonly #sessionId: string | undefined;
  readonly #refusal: Error | undefined;
  readonly direct: UpstreamClient['direct'];

  constructor(answer: (asked: Recorded) => unknown = () => ({}), options: RecordingClientOptions = {}) {
    this.#answer = answer;
    this.#protocol = { ...PROTOCOL, ...options.protocol };
    this.#capabilities = options.capabilities ?? { tools: {}, resources: { subscribe: true }, logging: {} };
    this.#sessionId = options.sessionId;
    this.#refusal = options.refusal;
    this.direct = options.direct;
  }

  get isInitialized(): boolean {
    return this.connected;
  }

  get sessionId(): string | undefined {
    return this.connected ? this.#sessionId : undefined;
  }

  get protocol(): ServerProtocol | undefined {
    return this.connected ? this.#protocol : undefined;
  }

  get capabilities(): JsonObject | undefined {
    return this.connected ? this.#capabilities : undefined;
  }

  get serverInfo(): JsonObject | undefined {
    return this.connected ? { name: 'recorded', version: '9' } : undefined;
  }

  get instructions(): string | undefined {
    return this.connected ? 'Be kind.' : undefined;
  }

  async connect(): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refusal;
    this.connected = true;
  }

  async request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    this.connected = true;
    const asked = { method, params, options };
    this.asked.push(asked);
    return this.#answer(asked);
  }

  async notify(method: string, params?: unknown): Promise<void> {
    this.notified.push({ method, params });
  }

  async listTools(): Promise<readonly ToolDefinition[]> {
    const { tools = [] } = (await this.request('tools/list')) as { readonly tools?: readonly ToolDefinition[] };
    return tools;
  }

  async callTool(name: string, args: unknown): Promise<ToolResult> {
    return (await this.request('tools/call', { name, arguments: args })) as ToolResult;
  }

  onNotification(listener: (notification: JsonRpcNotification, ofCall: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onRequest(method: string, handler: RequestHandler): () => void {
    this.handlers.set(method, handler);
    return () => this.handlers.delete(method);
  }

  async listen(
    filter: ListenFilter,
    options: Pick<RequestOptions, 'signal'> = {},
  ): Promise<{ honoured: JsonObject; closed: Promise<'local'>; close: () => void }> {
    this.asked.push({ method: 'subscriptions/listen', params: filter, options: {} });
    const closed = new Promise<'local'>((resolve) => {
      options.signal?.addEventListener('abort', () => resolve('local'), { once: true });
    });
    return { honoured: { ...filter }, closed, close: () => undefined };
  }

  emit(method: string, params?: unknown, ofCall = false): void {
    for (const listener of this.#listeners) listener({ jsonrpc: '2.0', method, params }, ofCall);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  async dispose(): Promise<void> {
    this.disposed += 1;
    this.connected = false;
  }
}
