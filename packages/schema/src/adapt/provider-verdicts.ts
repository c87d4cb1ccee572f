import type { GradeReason, ProviderVerdict, ProviderVerdicts, ToolDefinition } from '@plugboard/contract';
import { PROFILE_IDS, type ProfileId } from '../profile/registry.js';
import { adaptTool, toProviderVerdict } from './adapt-tool.js';

const MAX_REASONS = 20;

/** A huge schema needs a huge number of rewrites; readers of a verdict need only the kinds. */
const abridge = (reasons: readonly GradeReason[]): GradeReason[] =>
  reasons.length <= MAX_REASONS
    ? [...reasons]
    : [
        ...reasons.slice(0, MAX_REASONS),
        { rule: 'MORE', pointer: '', message: `There are ${reasons.length - MAX_REASONS} more.` },
      ];

const brief = (verdict: ProviderVerdict): ProviderVerdict => {
  switch (verdict.verdict) {
    case 'ok':
      return verdict;
    case 'rewritten':
      return { ...verdict, changes: abridge(verdict.changes) };
    case 'rejected':
      return { ...verdict, reasons: abridge(verdict.reasons) };
  }
};

/** What each provider and host makes of one tool, short enough to be stored beside it. */
export const providerVerdicts = (
  tool: ToolDefinition,
  profiles: readonly ProfileId[] = PROFILE_IDS,
): ProviderVerdicts => Object.fromEntries(profiles.map((id) => [id, brief(toProviderVerdict(adaptTool(tool, id)))]));
