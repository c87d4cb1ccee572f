import type { GradeStatus, ProviderVerdict, ToolView } from '@plugboard/contract';
import type { Tone } from '../ui/badge.js';

interface Words {
  readonly tone: Tone;
  readonly word: string;
}

const GRADES: Readonly<Record<GradeStatus, Words>> = {
  STRICT_COMPLIANT: { tone: 'good', word: 'Strict' },
  NON_STRICT_ONLY: { tone: 'info', word: 'Not strict' },
  INVALID: { tone: 'bad', word: 'Invalid' },
};

/** What a person should know first about a tool: that it is held, off, or how its schema is. */
export const gradeBadge = (tool: Pick<ToolView, 'quarantine' | 'enabled' | 'grade'>): Words => {
  if (tool.quarantine?.rejected_at !== undefined) return { tone: 'quiet', word: 'Change rejected' };
  if (tool.quarantine !== undefined) return { tone: 'warn', word: 'Awaits approval' };
  if (!tool.enabled) return { tone: 'quiet', word: 'Disabled' };
  return GRADES[tool.grade.status];
};

export const gradeWords = (status: GradeStatus): Words => GRADES[status];

export const verdictWords = (verdict: ProviderVerdict): Words => {
  switch (verdict.verdict) {
    case 'ok':
      return { tone: 'good', word: 'As it is' };
    case 'rewritten':
      return verdict.lossless ? { tone: 'info', word: 'Rewritten' } : { tone: 'warn', word: 'Rewritten, with losses' };
    case 'rejected':
      return { tone: 'bad', word: 'Rejected' };
    default:
      return verdict satisfies never;
  }
};
