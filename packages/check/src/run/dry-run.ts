import type { CheckCall, CheckPlanEntry, CheckResult } from '@plugboard/contract';
import { callAccount } from './call-account.js';
import { levelFor } from '../model/check.js';
import type { PlannedCheck } from '../plan/plan.js';
import { RunProbe } from '../probe/run-probe.js';
import type { RunState } from '../probe/run-state.js';

const entryOf = ({ check, era, inapplicable, unverifiable }: PlannedCheck, run: RunState): CheckPlanEntry => {
  const why = inapplicable ?? unverifiable;
  const { id, title, family, eras } = check;
  const level = levelFor(check, era, run.facts.sessions[era]?.revision);
  return { id, title, family, level, era: eras === 'both' ? 'both' : era, ...(why === undefined ? {} : { why }) };
};

/** What of the server runs code, and what the run did with it. */
export const accountOf = async (run: RunState): Promise<readonly CheckCall[]> => {
  const [era] = run.facts.eras;
  if (era === undefined || run.facts.sessions[era] === undefined) return [];
  const probe = new RunProbe(run, era, run.link.signal);
  const calls = await callAccount(probe, run.ledger);
  return calls.map((call) => ({ ...call, why: run.mask(call.why) }));
};

interface DryRun {
  readonly results: readonly CheckResult[];
  readonly calls: readonly CheckCall[];
  readonly plan: readonly CheckPlanEntry[];
  readonly reason: string;
}

/** The plan of a run, told without carrying it out: the server was asked what it offers, and nothing else. */
export const dryRun = async (run: RunState, planned: readonly PlannedCheck[]): Promise<DryRun> => ({
  results: [],
  calls: await accountOf(run),
  plan: planned.map((one) => entryOf(one, run)),
  reason: 'Dry run: nothing was judged and nothing was called.',
});
