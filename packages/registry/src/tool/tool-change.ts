import { PlugboardError, type ToolUpdate } from '@plugboard/contract';
import { operatorTags } from '../catalogue/to-tool.js';
import { requireSound } from '../quarantine/approve.js';
import { serverNotFound } from '../server/reachable.js';
import type { StoredTool, StoreTransaction } from '../store/store.js';

export const toolNotFound = (id: string): PlugboardError =>
  new PlugboardError('TOOL_NOT_FOUND', 'This server has no tool with this id.', {
    hint: 'List the tools of the server to see their ids; a sync may have removed it.',
    details: { id: id.slice(0, 128) },
  });

const requireUsable = (tool: StoredTool): void => {
  if (tool.quarantine !== undefined) {
    throw new PlugboardError('INVALID_ARGUMENT', `The tool "${tool.upstreamName}" changed and waits for approval.`, {
      hint: {
        api: 'Look at how it changed, then POST to the approve route of the tool.',
        cli: 'Look at how it changed, then approve it: plugboard approve <server> <tool>',
      },
      details: { changes: tool.quarantine.changes },
    });
  }
  requireSound(tool);
};

/** The tool as an operator wants it; undefined when it is so already. */
export const toolAfter = (tool: StoredTool, update: ToolUpdate, updatedAt: string): StoredTool | undefined => {
  if (update.enabled === true) requireUsable(tool);
  const switchedOff = update.enabled === undefined ? tool.switchedOff : !update.enabled;
  const tags = update.tags === undefined ? tool.tags : operatorTags(update.tags);
  const same = switchedOff === tool.switchedOff && tags.join('\n') === tool.tags.join('\n');
  return same ? undefined : { ...tool, switchedOff, tags, updatedAt };
};

/** Stores a tool as `change` wants it; undefined leaves it as it is. */
export const changeStoredTool = async (
  transaction: StoreTransaction,
  { serverId, toolId }: { readonly serverId: string; readonly toolId: string },
  change: (tool: StoredTool) => StoredTool | undefined,
): Promise<void> => {
  const stored = await transaction.server(serverId);
  if (stored === undefined) throw serverNotFound(serverId);
  const tool = (await transaction.tools(stored.server.id)).find(
    (candidate) => candidate.id === toolId && candidate.absentSince === undefined,
  );
  if (tool === undefined) throw toolNotFound(toolId);
  const changed = change(tool);
  if (changed !== undefined) await transaction.putTools([changed]);
};
