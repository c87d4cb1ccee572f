import type { CheckLevel, CheckVerdict } from '@plugboard/contract';
import type { Finding } from '../model/finding.js';

/** MUST fails; SHOULD and ADVICE warn. */
export const verdictOf = (finding: Finding, level: CheckLevel): CheckVerdict => {
  switch (finding.kind) {
    case 'holds':
      return 'pass';
    case 'broken':
      return level === 'MUST' ? 'fail' : 'warn';
    case 'doubtful':
      return 'warn';
    case 'not-applicable':
    case 'not-verified':
      return finding.kind;
    default:
      return finding satisfies never;
  }
};
