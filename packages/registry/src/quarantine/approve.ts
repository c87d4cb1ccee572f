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

/** A decision is about the definition that was looked at, and no later one. */
const requireSeen = (tool: StoredTool, seen: string | undefined): void => {
  if (seen === undefined || seen === tool.contractHash) return;
  throw new PlugboardError('CONFLICT', `The tool "${tool.upstreamName}" has changed again since you reviewed it.`, {
    hint: 'Review the current changes, then decide about them.',
    details: { contract_hash: tool.contractHash },
  });
};

/** The tool with its present definition accepted; undefined when nothing waits for approval. */
export const toolApproved = (
  tool: StoredTool,
  { contract_hash: seen }: ToolApproval,
  updatedAt: string,
): StoredTool | undefined => {
  requireSeen(tool, seen);
  if (tool.quarantine === undefined) return undefined;
  // an approved definition becomes the reference, and one that is never offered must not be it
  requireSound(tool);
  return { ...tool, quarantine: undefined, updatedAt };
};

/** The tool with its present definition rejected: it stays held, and nobody is asked again until it changes. */
export const toolRejected = (
  tool: StoredTool,
  { contract_hash: seen }: ToolApproval,
  at: string,
): StoredTool | undefined => {
  requireSeen(tool, seen);
  if (tool.quarantine === undefined) {
    throw new PlugboardError('INVALID_ARGUMENT', `The tool "${tool.upstreamName}" has no change to reject.`, {
      hint: 'To keep an unchanged tool from agents, disable it.',
    });
  }
  if (tool.quarantine.rejectedAt !== undefined) return undefined;
  return { ...tool, quarantine: { ...tool.quarantine, rejectedAt: at }, updatedAt: at };
};
