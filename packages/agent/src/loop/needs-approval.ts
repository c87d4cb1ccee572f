import { isJsonObject } from '@plugboard/base';
import type { AgentTool } from '../tool/agent-tool.js';

/**
 * Which calls need a yes. `destructive`: those of tools that may destroy something; by the rules of MCP these are all that
 * are neither read-only nor declared harmless.
 */
export type ApprovalRule = 'all' | 'destructive' | 'none';

export const isDestructive = ({ metadata: { annotations } }: AgentTool): boolean => {
  if (!isJsonObject(annotations)) return true;
  return annotations['readOnlyHint'] !== true && annotations['destructiveHint'] !== false;
};

export const needsApproval = (rule: ApprovalRule, tool: AgentTool): boolean =>
  rule === 'all' || (rule === 'destructive' && isDestructive(tool));
