import type { CheckLevel, CheckReport, CheckResult, CheckSummary } from '@plugboard/contract';
import type { FailOn } from '../target/target.js';

const GATE: Readonly<Record<FailOn, readonly CheckLevel[]>> = {
  must: ['MUST'],
  should: ['MUST', 'SHOULD'],
  advice: ['MUST', 'SHOULD', 'ADVICE'],
  never: [],
};

export const summarise = (results: readonly CheckResult[]): CheckSummary => {
  const count = (verdict: CheckResult['verdict']): number =>
    results.filter((result) => result.verdict === verdict).length;
  const [pass, fail, warn] = [count('pass'), count('fail'), count('warn')];
  const judged = pass + fail + warn;
  return {
    total: results.length,
    pass,
    fail,
    warn,
    notApplicable: count('not-applicable'),
    notVerified: count('not-verified'),
    expected: results.filter((result) => result.expected === true).length,
    rate: judged === 0 ? 1 : pass / judged,
  };
};

/** Does this result fail the run? A warning does when the gate includes its level. */
export const failsRun = (result: CheckResult, gate: FailOn): boolean => {
  if (result.expected === true || gate === 'never') return false;
  if (result.verdict === 'fail') return true;
  return result.verdict === 'warn' && result.level !== 'MUST' && GATE[gate].includes(result.level);
};

export const outcomeOf = (
  results: readonly CheckResult[],
  { gate, stale }: { readonly gate: FailOn; readonly stale: readonly string[] },
): CheckReport['outcome'] => {
  if (results.every(({ verdict }) => verdict === 'not-verified' || verdict === 'not-applicable')) return 'not-examined';
  if (stale.length > 0) return 'failed';
  return results.some((result) => failsRun(result, gate)) ? 'failed' : 'passed';
};

/** 0 passed, 1 failed, 3 could not be examined; 2 is for usage and never comes from a run. */
export const exitCodeOf = ({ outcome }: CheckReport): 0 | 1 | 3 => {
  switch (outcome) {
    case 'passed':
      return 0;
    case 'failed':
      return 1;
    case 'not-examined':
      return 3;
    default:
      return outcome satisfies never;
  }
};
