import {
  EXIT,
  type CheckLevel,
  type CheckOutcome,
  type CheckReport,
  type CheckResult,
  type CheckSummary,
  type ExitCode,
} from '@plugboard/contract';
import { keepsAnswering } from '../checks/lifecycle/keeps-answering.js';
import type { FailOn } from '../target/target.js';

const GATE: Readonly<Record<FailOn, readonly CheckLevel[]>> = {
  must: ['MUST'],
  should: ['MUST', 'SHOULD'],
  advice: ['MUST', 'SHOULD', 'ADVICE'],
  never: [],
};

/** From this share on, what could not be verified is a substantial part of what applies. */
const SUBSTANTIAL = 1 / 3;

const isSubstantial = (notVerified: number, judged: number): boolean =>
  judged === 0 || notVerified / (notVerified + judged) > SUBSTANTIAL;

export const summarise = (results: readonly CheckResult[]): CheckSummary => {
  const count = (verdict: CheckResult['verdict']): number =>
    results.filter((result) => result.verdict === verdict).length;
  const [pass, fail, warn] = [count('pass'), count('fail'), count('warn')];
  const judged = pass + fail + warn;
  const notVerified = count('not-verified');
  return {
    total: results.length,
    pass,
    fail,
    warn,
    notApplicable: count('not-applicable'),
    notVerified,
    expected: results.filter((result) => result.expected === true).length,
    rate: isSubstantial(notVerified, judged) ? null : pass / judged,
  };
};

/** Does this result fail the run? A warning does when the gate includes its level; a server that stops answering always. */
export const failsRun = (result: CheckResult, gate: FailOn): boolean => {
  if (result.expected === true) return false;
  if (gate === 'never') return result.verdict === 'fail' && result.id === keepsAnswering.id;
  if (result.verdict === 'fail') return true;
  return result.verdict === 'warn' && result.level !== 'MUST' && GATE[gate].includes(result.level);
};

export const outcomeOf = (
  results: readonly CheckResult[],
  { gate, stale }: { readonly gate: FailOn; readonly stale: readonly string[] },
): CheckReport['outcome'] => {
  if (results.some((result) => failsRun(result, gate))) return 'failed';
  if (summarise(results).rate === null) return 'incomplete';
  return stale.length > 0 ? 'failed' : 'passed';
};

/** Why a run is incomplete, for the reader of the report. */
export const incompleteReason = ({ notVerified, pass, fail, warn }: CheckSummary): string => {
  const applicable = notVerified + pass + fail + warn;
  return applicable === 0
    ? 'No check applies to this server.'
    : `${notVerified} of ${applicable} checks that apply could not be verified. The report lists what each of them needs.`;
};

const EXIT_CODES = {
  passed: EXIT.ok,
  failed: EXIT.failed,
  incomplete: EXIT.incomplete,
  unreachable: EXIT.unreachable,
  'not-examined': EXIT.notExamined,
} as const satisfies Readonly<Record<CheckOutcome, ExitCode>>;

/** The exit code of a run; 2 is for usage and never comes from a run. */
export const exitCodeOf = ({ outcome, plan }: Pick<CheckReport, 'outcome' | 'plan'>): ExitCode =>
  plan === undefined ? EXIT_CODES[outcome] : EXIT.ok;
