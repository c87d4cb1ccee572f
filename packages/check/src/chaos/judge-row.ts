import type { RowObservation } from './observe-row.js';
import type { FaultRow } from './rows/fault-row.js';

export interface RowJudgement {
  readonly verdict: 'pass' | 'fail' | 'not-applicable' | 'not-verified';
  readonly detail: string;
  readonly supply?: string;
}

export interface JudgeOptions {
  readonly budgetMs: number;
  /** The tool says that it may run twice without harm. */
  readonly mayRunTwice: boolean;
  /** Only servers: the fate of the struck call is decided by the fault, not by them. */
  readonly isServer: boolean;
}

const sentence = (text: string): string => `${text.replace(/\.$/u, '')}.`;

const fail = (detail: string): RowJudgement => ({ verdict: 'fail', detail });

const fateWords = ({ fate }: RowObservation): string => {
  if (fate === undefined) return 'The affected call is still waiting';
  return fate.kind === 'answered'
    ? 'The affected call succeeded'
    : `The affected call failed (${fate.why.replace(/\.$/u, '')})`;
};

const seconds = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** What an observation says of the subject. */
export const judgeRow = (
  row: Pick<FaultRow, 'isHarmless' | 'isForged'>,
  seen: RowObservation,
  { budgetMs, mayRunTwice, isServer }: JudgeOptions,
): RowJudgement => {
  if (seen.before.kind === 'failed') {
    return {
      verdict: 'not-verified',
      detail: `The call before the fault failed: ${sentence(seen.before.why)}`,
      supply: 'A tool that succeeds: --tool name={"json":"arguments"}.',
    };
  }
  if (!seen.struck) {
    return { verdict: 'not-applicable', detail: 'The fault does not apply: the answers do not have this form.' };
  }
  if (seen.wrong.length > 0) return fail(`A caller got the answer of another call. ${fateWords(seen)}.`);
  if (!mayRunTwice && seen.deliveries > 1) {
    return fail(`The affected call was sent ${seen.deliveries} times. It may have run twice.`);
  }
  if (!mayRunTwice && seen.othersDelivered > 1) {
    return fail(`A call after the fault was sent ${seen.othersDelivered} times. It may have run twice.`);
  }
  if (seen.recoveredMs === undefined) {
    const why = seen.lastFailure === undefined ? '' : ` The last failure: ${sentence(seen.lastFailure)}`;
    return fail(`No call succeeded within ${seconds(budgetMs)} after the fault.${why}`);
  }
  if (seen.relapses.length > 0) return fail(`Calls failed again after the recovery: ${seen.relapses.join('; ')}.`);
  if (row.isHarmless === true && !isServer && seen.fate?.kind !== 'answered') {
    return fail(`${fateWords(seen)}, although its answer was complete.`);
  }
  if (row.isForged === true && !isServer && seen.fate?.kind === 'answered' && seen.deliveries <= 1) {
    return fail('The affected call succeeded with an answer to a request that was never sent.');
  }
  return { verdict: 'pass', detail: `${fateWords(seen)}; the next one succeeded after ${seconds(seen.recoveredMs)}.` };
};
