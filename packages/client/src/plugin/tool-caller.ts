import type { ToolDefinition, ToolResult } from '@plugboard/contract';

export interface ToolCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs?: number | undefined;
}

/** As much of a client as a plug-in needs; `McpClient` has it. */
export interface ToolCaller {
  listTools(options?: ToolCallOptions): Promise<readonly ToolDefinition[]>;
  callTool(name: string, args: Record<string, unknown>, options?: ToolCallOptions): Promise<ToolResult>;
  dispose(): Promise<void>;
}
