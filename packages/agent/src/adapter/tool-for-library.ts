import { PlugboardError } from '@plugboard/contract';
import { instruction, type ToolOutcome } from '../result/tool-outcome.js';
import type { AgentTool } from '../tool/agent-tool.js';

const outcomeOf = async (tool: AgentTool, args: unknown, signal: AbortSignal | undefined): Promise<ToolOutcome> => {
  try {
    return await tool.call(args, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof PlugboardError)) throw error;
    return instruction('failed', error.message);
  }
};

type JsonSchema = Record<string, unknown>;

export interface LibraryTool {
  readonly schema: JsonSchema;
  readonly call: (args: unknown, signal: AbortSignal | undefined) => Promise<ToolOutcome>;
}

/**
 * A tool that a library calls itself: a failure is an outcome that the model reads, cancellation is thrown. Libraries show
 * the schema to the model, and some check arguments against it, so it is changed in place when the tool takes over a new one.
 */
export const toolForLibrary = (tool: AgentTool): LibraryTool => {
  let shown = tool.definition;
  const schema: JsonSchema = { ...(shown.inputSchema as JsonSchema) };
  const update = (): void => {
    if (tool.definition === shown) return;
    shown = tool.definition;
    for (const member of Object.keys(schema)) delete schema[member];
    Object.assign(schema, shown.inputSchema);
  };
  return { schema, call: (args, signal) => outcomeOf(tool, args, signal).finally(update) };
};
