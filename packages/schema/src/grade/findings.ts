import type { Grade, GradeReason, GradeStatus } from '@plugboard/contract';
import { RULES, type RuleId } from './rule.js';

/** Reasons that are written down; the status takes all of them into account. */
const MAX_REASONS = 500;

/** What was found about one tool so far, in the order in which it was found. */
export interface Findings {
  /** `detail` replaces the rule's general sentence. */
  readonly add: (rule: RuleId, pointer: string, detail?: string) => void;
  readonly grade: () => Grade;
}

export const createFindings = (): Findings => {
  const reasons: GradeReason[] = [];
  let status: GradeStatus = 'STRICT_COMPLIANT';
  return {
    add: (rule, pointer, detail) => {
      const { effect, sentence, fix } = RULES[rule];
      if (status !== 'INVALID') status = effect;
      if (reasons.length < MAX_REASONS) reasons.push({ rule, pointer, message: detail ?? sentence, fix });
    },
    grade: () => ({ status, reasons }),
  };
};
