import type { CheckEvidence, CheckResult } from '@plugboard/contract';
import { within } from '../connection/deadline.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import { sourceFor, type Check } from '../model/check.js';
import { broken, notApplicable, notVerified, type Finding } from '../model/finding.js';
import type { PlannedCheck } from '../plan/plan.js';
import { RunProbe, type RunState } from '../probe/run-probe.js';
import { reproducer } from '../reproduce/reproducer.js';
import { verdictOf } from './verdict.js';

const MAX_TRANSCRIPT = 120;

/** What an exception means: silence is a finding, a missing server is none. */
const findingOf = (thrown: unknown): Finding => {
  if (thrown instanceof NoAnswer) {
    const exchange = { sent: thrown.sent, received: thrown.received, connection: 0, recipe: undefined };
    return broken({ detail: thrown.message, expected: 'an answer in time', exchange });
  }
  if (thrown instanceof Unreachable) return notVerified(thrown.message, 'a server that can be reached');
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return notVerified(`The check could not be carried out: ${message}`, 'a connection that stays up');
};

const evidenceOf = (finding: Finding, probe: RunProbe, run: RunState, from: number): CheckEvidence | undefined => {
  if (finding.kind !== 'broken' && finding.kind !== 'doubtful') return undefined;
  const { exchange, expected } = finding;
  const reproduce = exchange === undefined ? undefined : reproducer(exchange, run.link.place);
  if (exchange !== undefined) probe.connections.add(exchange.connection);
  const { mask } = run;
  const carried = run.link.transcript.since(from, probe.connections).slice(-MAX_TRANSCRIPT);
  return {
    sent: mask(exchange?.sent ?? ''),
    received: mask(exchange?.received ?? ''),
    expected,
    ...(reproduce === undefined ? {} : { reproduce: mask(reproduce) }),
    transcript: carried.map((entry) => ({ ...entry, text: mask(entry.text) })),
  };
};

const describeCheck = (check: Check, { era }: PlannedCheck, run: RunState) => ({
  id: check.id,
  title: check.title,
  family: check.family,
  level: check.level,
  tier: check.tier,
  transport: run.link.place.transport,
  era: check.eras === 'both' ? ('both' as const) : era,
  source: sourceFor(check, era),
  remedy: check.remedy,
});

const carriedOut = async (
  planned: PlannedCheck,
  probe: RunProbe,
  controller: AbortController,
  ms: number,
): Promise<Finding> => {
  const { check, inapplicable, unverifiable } = planned;
  if (inapplicable !== undefined) return notApplicable(inapplicable);
  if (unverifiable !== undefined) return notVerified(unverifiable, 'an access token (headers or auth)');
  try {
    return await within(check.run(probe), { ms, what: 'verdict' });
  } catch (thrown) {
    if (thrown instanceof NoAnswer && thrown.message.startsWith('No verdict')) {
      return notVerified(`The check took longer than ${ms} ms.`, 'a larger budget (budgets.checkMs)');
    }
    return findingOf(thrown);
  } finally {
    controller.abort();
    await probe.release();
  }
};

/** Runs one check and closes everything that it opened. */
export const runCheck = async (planned: PlannedCheck, run: RunState): Promise<CheckResult> => {
  const { check, era } = planned;
  const started = performance.now();
  const from = run.link.transcript.length;
  const controller = new AbortController();
  const probe = new RunProbe(run, era, AbortSignal.any([run.link.signal, controller.signal]));
  const finding = await carriedOut(planned, probe, controller, run.target.budgets.checkMs);
  const evidence = evidenceOf(finding, probe, run, from);
  return {
    ...describeCheck(check, planned, run),
    verdict: verdictOf(finding, check.level),
    ...(finding.detail === undefined ? {} : { detail: run.mask(finding.detail) }),
    ...(finding.kind === 'not-verified' ? { supply: finding.supply } : {}),
    ...(evidence === undefined ? {} : { evidence }),
    durationMs: Math.round(performance.now() - started),
  };
};
