import type { ServerProtocol, ToolDefinition, ToolResult } from '@plugboard/contract';

export interface UpstreamCallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What the gateway needs of a connection to one server. */
export interface UpstreamClient {
  readonly protocol: ServerProtocol | undefined;
  readonly capabilities: Readonly<Record<string, unknown>> | undefined;
  readonly instructions: string | undefined;
  request(method: string, params?: Readonly<Record<string, unknown>>, options?: UpstreamCallOptions): Promise<unknown>;
  listTools(options?: UpstreamCallOptions): Promise<readonly ToolDefinition[]>;
  callTool(name: string, args: Readonly<Record<string, unknown>>, options?: UpstreamCallOptions): Promise<ToolResult>;
  /** Returns the way to stop listening. */
  onNotification(listener: (notification: { readonly method: string }) => void): () => void;
  dispose(): Promise<void>;
}
