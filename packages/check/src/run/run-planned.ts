import { eachAtMost } from '../connection/each-at-most.js';
import type { CheckResult } from '@plugboard/contract';
import type { PlannedCheck } from '../plan/plan.js';
import type { RunState } from '../probe/run-state.js';
import { keepsAnswering } from '../checks/lifecycle/keeps-answering.js';
import { asCancelled, asStopped, runCheck } from './run-check.js';
import type { RunEvent } from './run-event.js';

/** Three waves: what may run side by side, what must run alone, and what looks back. */
const waves = (planned: readonly PlannedCheck[]): readonly (readonly PlannedCheck[])[] => {
  const waveOf = ({ check }: PlannedCheck): number => (check.phase === 'last' ? 2 : check.alone === true ? 1 : 0);
  return [0, 1, 2].map((wave) => planned.filter((item) => waveOf(item) === wave));
};

interface Judged {
  readonly result: CheckResult;
  /** In the time of the transcript. */
  readonly endedAt: number;
}

/** Nothing that was said after the server had gone counts, neither for it nor against it. */
const corrected = (item: PlannedCheck, { result, endedAt }: Judged, run: RunState): CheckResult => {
  const { diedAt } = run.pulse;
  const late = diedAt !== undefined && endedAt > diedAt;
  const spoke = result.verdict !== 'not-applicable' && result.verdict !== 'not-verified';
  return late && spoke && item.check.perRun !== true ? asStopped(item, run, result) : result;
};

/** A server that has ended by the end of the run fails it, whichever checks were selected. */
const lastWord = async (run: RunState, planned: readonly PlannedCheck[]): Promise<readonly CheckResult[]> => {
  if (planned.some(({ check }) => check.id === keepsAnswering.id)) return [];
  if (run.link.signal.aborted || planned.every(({ inapplicable }) => inapplicable !== undefined)) return [];
  await run.pulse.feel();
  if (run.pulse.deaths.length === 0 && run.silences.all.length === 0) return [];
  const era = run.facts.eras[0] ?? 'legacy';
  return [await runCheck({ check: keepsAnswering, era, inapplicable: undefined }, run)];
};

/** Runs what was planned, and finds out in the end whether the server is still there. */
export const runPlanned = async (
  run: RunState,
  planned: readonly PlannedCheck[],
  onEvent: ((event: RunEvent) => void) | undefined,
): Promise<readonly CheckResult[]> => {
  const judged = new Map<PlannedCheck, Judged>();
  for (const [index, wave] of waves(planned).entries()) {
    const atOnce = index === 1 ? 1 : run.target.budgets.concurrency;
    await eachAtMost(atOnce, wave, async (item) => {
      if (run.link.signal.aborted) return;
      onEvent?.({ type: 'started', id: item.check.id, era: item.check.eras === 'both' ? 'both' : item.era });
      const result = await runCheck(item, run);
      judged.set(item, { result, endedAt: run.link.transcript.now });
      onEvent?.({ type: 'judged', result, done: judged.size, planned: planned.length });
    });
  }
  const last = await lastWord(run, planned);
  const results = planned.map((item) => {
    const one = judged.get(item);
    return one === undefined ? asCancelled(item, run) : corrected(item, one, run);
  });
  return [...last, ...results];
};
