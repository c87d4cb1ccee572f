import type { Server, ServerId, ServerProtocol, ToolDefinition, ToolResult } from '@plugboard/contract';
import type { ReachOptions, ServerReach, ToolCall } from '../port/server-reach.js';

type Lister = (server: Server, options: ReachOptions) => Promise<readonly ToolDefinition[]>;

/** Servers in memory: what each answers is a function that a test may replace at any time. */
export class ScriptedReach implements ServerReach {
  list: Lister = async () => [];
  call: (server: Server, call: ToolCall) => Promise<ToolResult> = async () => ({ content: [] });
  instructions: () => Promise<string> = async () => '';
  negotiated: ServerProtocol | undefined;
  readonly listed: Server[] = [];
  readonly calls: ToolCall[] = [];
  readonly released: ServerId[] = [];
  release = async (id: ServerId): Promise<void> => {
    this.released.push(id);
  };
  readonly #listeners = new Set<(id: ServerId) => void>();

  listTools(server: Server, options: ReachOptions = {}): Promise<readonly ToolDefinition[]> {
    this.listed.push(server);
    return this.list(server, options);
  }

  callTool(server: Server, call: ToolCall): Promise<ToolResult> {
    this.calls.push(call);
    return this.call(server, call);
  }

  protocol(): ServerProtocol | undefined {
    return this.negotiated;
  }

  onToolsChanged(listener: (id: ServerId) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  announce(id: ServerId): void {
    for (const listener of this.#listeners) listener(id);
  }
}

export const definition = (name: string, description = `Does ${name}`): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
});
