import type { FastLine, ListenFilter, RequestHandler, RequestOptions, Subscription } from '@plugboard/client';
import type { ServerProtocol, ToolDefinition, ToolResult } from '@plugboard/contract';
import type { JsonObject, JsonRpcNotification } from '@plugboard/wire';

/** What the gateway needs of a connection to one server. */
export interface UpstreamClient {
  readonly isInitialized: boolean;
  readonly sessionId: string | undefined;
  readonly protocol: ServerProtocol | undefined;
  readonly capabilities: JsonObject | undefined;
  readonly serverInfo: JsonObject | undefined;
  readonly instructions: string | undefined;
  /** For how long the server said that its list of tools is fresh. */
  readonly toolsTtlMs?: number | undefined;
  /** The metadata that came with the last list of tools. */
  readonly toolsMeta?: JsonObject | undefined;
  /** The fast path to the server, where it has one now. */
  readonly direct?: FastLine | undefined;
  connect(options?: Pick<RequestOptions, 'signal'>): Promise<void>;
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params?: unknown, options?: Pick<RequestOptions, 'signal'>): Promise<void>;
  listTools(options?: RequestOptions): Promise<readonly ToolDefinition[]>;
  callTool(name: string, args: JsonObject, options?: RequestOptions): Promise<ToolResult>;
  /** Returns the way to stop listening. */
  onNotification(listener: (notification: JsonRpcNotification, ofCall: boolean) => void): () => void;
  /** Answers what the server asks outside any call; `*` takes every method. */
  onRequest(method: string, handler: RequestHandler): () => void;
  /** A subscription of its own to a modern server's changes. */
  listen(
    filter: ListenFilter,
    options?: Pick<RequestOptions, 'signal'>,
  ): Promise<Pick<Subscription, 'honoured' | 'closed' | 'close'>>;
  dispose(): Promise<void>;
}
