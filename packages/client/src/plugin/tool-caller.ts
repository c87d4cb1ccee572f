import type { ToolDefinition, ToolResult } from '@plugboard/contract';
import type { SupervisedProcess } from '../supervisor/supervised-process.js';

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

/** A server that is started by the first call, is not idle during one, and is stopped with the caller. */
export const supervisedCaller = (server: SupervisedProcess<ToolCaller>): ToolCaller => {
  const use = <T>(options: ToolCallOptions, work: (caller: ToolCaller) => Promise<T>): Promise<T> =>
    server.use(options.signal ?? new AbortController().signal, work);
  return {
    listTools: (options = {}) => use(options, (caller) => caller.listTools(options)),
    callTool: (name, args, options = {}) => use(options, (caller) => caller.callTool(name, args, options)),
    dispose: () => server[Symbol.asyncDispose](),
  };
};
