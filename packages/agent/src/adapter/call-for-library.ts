import { PlugboardError } from '@plugboard/contract';
import { instruction, type ToolOutcome } from '../result/tool-outcome.js';
import type { AgentTool } from '../tool/agent-tool.js';

/** A call by a library that runs tools itself: a failure is an outcome that the model reads, cancellation is thrown. */
export const callForLibrary = async (
  tool: AgentTool,
  args: unknown,
  signal: AbortSignal | undefined,
): Promise<ToolOutcome> => {
  try {
    return await tool.call(args, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof PlugboardError)) throw error;
    return instruction('failed', error.message);
  }
};
