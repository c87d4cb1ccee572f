import { PlugboardError } from '@plugboard/contract';
import type { McpCall } from '../../call/mcp-call.js';
import type { ServerTool } from '../../call/offered-tool.js';
import type { TaskAddress } from './task-handle.js';

/** The tool that a task runs, as far as this caller may still use it: rights can change while a task runs. */
export const taskTool = (
  { scope }: Pick<McpCall, 'scope'>,
  { serverId, tool }: TaskAddress,
): ServerTool | undefined => {
  try {
    const found = scope.findTool(tool);
    return found.kind === 'server' && found.server.id === serverId ? found : undefined;
  } catch (thrown) {
    if (thrown instanceof PlugboardError && thrown.code === 'TOOL_NOT_FOUND') return undefined;
    throw thrown;
  }
};
