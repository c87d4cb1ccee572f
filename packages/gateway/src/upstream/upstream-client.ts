import type { DirectLine, RequestHandler, Subscription, UnderWay } from '@plugboard/client';
import type { ServerProtocol, ToolDefinition, ToolResult } from '@plugboard/contract';
import type { JsonObject, JsonRpcNotification, RequestId } from '@plugboard/wire';

export interface UpstreamCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** On whose behalf: a fair queue takes turns between callers. */
  readonly caller?: string | undefined;
  readonly tool?: ToolDefinition | undefined;
  readonly logLevel?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly allowInputRequired?: boolean | undefined;
  readonly deadlineMs?: number | undefined;
  /** How long waits before attempts may take. */
  readonly patienceMs?: number | undefined;
  readonly onWait?: ((leftMs: number) => void) | undefined;
  readonly underWay?: UnderWay | undefined;
  readonly onProgress?: ((progress: unknown, params: JsonObject) => void) | undefined;
  /** Progress may come after the answer, until this aborts. */
  readonly progressUntil?: AbortSignal | undefined;
  readonly onNotification?: ((notification: JsonRpcNotification) => void) | undefined;
  readonly onRequest?: RequestHandler | undefined;
  /** Names the call for whoever looks at the messages. */
  readonly callId?: string | undefined;
  /** Told the id under which the request goes out, each time it does. */
  readonly onSend?: ((id: RequestId, attempt: number) => void) | undefined;
  /** Asked after each message of the call: the next is read when the promise settles. */
  readonly pace?: (() => Promise<void> | undefined) | undefined;
}

export interface UpstreamFilter {
  readonly resourceSubscriptions?: readonly string[] | undefined;
  readonly taskIds?: readonly string[] | undefined;
}

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
  /** The shortest way to the server, where it has one now. */
  readonly direct?: DirectLine | undefined;
  connect(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  request(method: string, params?: unknown, options?: UpstreamCallOptions): Promise<unknown>;
  notify(method: string, params?: unknown, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  listTools(options?: UpstreamCallOptions): Promise<readonly ToolDefinition[]>;
  callTool(name: string, args: JsonObject, options?: UpstreamCallOptions): Promise<ToolResult>;
  /** Returns the way to stop listening. */
  onNotification(listener: (notification: JsonRpcNotification, ofCall: boolean) => void): () => void;
  /** Answers what the server asks outside any call; `*` takes every method. */
  onRequest(method: string, handler: RequestHandler): () => void;
  /** A subscription of its own to a modern server's changes. */
  listen(
    filter: UpstreamFilter,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Pick<Subscription, 'honoured' | 'closed' | 'close'>>;
  dispose(): Promise<void>;
}
