import { PlugboardError, type ToolApproval } from '@plugboard/contract';
import type { StoredTool } from '../store/store.js';

/** Throws for a tool that no client can be offered. */
export const requireSound = (tool: StoredTool): void => {
  if (tool.grade.status !== 'INVALID') return;
  throw new PlugboardError(
    'INVALID_ARGUMENT',
    `The tool "${tool.upstreamName}" cannot be offered in its current form.`,
    {
      hint: tool.grade.reasons[0]?.message ?? 'Its definition is invalid.',
      details: { reasons: tool.grade.reasons },
    },
  );
};

/** The tool with its present definition accepted; undefined when nothing waits for approval. */
export const toolApproved = (
  tool: StoredTool,
  { contract_hash: seen }: ToolApproval,
  updatedAt: string,
): StoredTool | undefined => {
  if (seen !== undefined && seen !== tool.contractHash) {
    throw new PlugboardError('CONFLICT', `The tool "${tool.upstreamName}" has changed again since you reviewed it.`, {
      hint: 'Review the current changes, then approve them.',
      details: { contract_hash: tool.contractHash },
    });
  }
  if (tool.quarantine === undefined) return undefined;
  // an approved definition becomes the reference, and one that is never offered must not be it
  requireSound(tool);
  return { ...tool, quarantine: undefined, updatedAt };
};
