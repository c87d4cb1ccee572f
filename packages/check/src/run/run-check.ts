import type { CheckEvidence, CheckResult } from '@plugboard/contract';
import { problemOf } from '../catalogue/problems.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import { OwnTime } from '../connection/own-time.js';
import { levelFor, sourceFor, type Check } from '../model/check.js';
import { broken, doubtful, notApplicable, notVerified, type Finding } from '../model/finding.js';
import type { PlannedCheck } from '../plan/plan.js';
import { RunProbe, type ProbeOptions, type RunState } from '../probe/run-probe.js';
import { checkLine } from '../reproduce/check-line.js';
import { reproducer } from '../reproduce/reproducer.js';
import { Gone } from '../session/death.js';
import type { Exchange } from '../session/exchange.js';
import { verdictOf } from './verdict.js';

const MAX_TRANSCRIPT = 120;

const STOPPED = notVerified('The server stopped answering (LIF-29).', 'a server that keeps running until the end');

const DIED = notVerified(
  'The server ended in the middle of this check (LIF-29).',
  'a server that keeps running during the check',
);

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

/** A line that sends the same again, or else the command that runs the check again. */
const lineFor = ({ check, era }: PlannedCheck, exchange: Exchange | undefined, run: RunState): string => {
  const single = check.inSequence !== true && exchange !== undefined;
  const sent = single ? reproducer(exchange, run.link.place) : undefined;
  if (sent !== undefined) return sent;
  const { target, seed, from } = run;
  return checkLine(target, { id: check.id, era: check.eras === 'both' ? 'both' : era, seed, from });
};

const MAX_SENT = 16_384;

const evidenceOf = (
  finding: Finding,
  { planned, probe, run, from }: { planned: PlannedCheck; probe: RunProbe; run: RunState; from: number },
): CheckEvidence | undefined => {
  if (finding.kind !== 'broken' && finding.kind !== 'doubtful') return undefined;
  const { exchange, expected } = finding;
  if (exchange !== undefined) probe.connections.add(exchange.connection);
  const { mask } = run;
  const carried = run.link.transcript.since(from, probe.connections).slice(-MAX_TRANSCRIPT);
  return {
    sent: mask(exchange?.sent ?? '').slice(0, MAX_SENT),
    received: mask(exchange?.received ?? ''),
    expected,
    reproduce: mask(lineFor(planned, exchange, run)),
    transcript: carried.map((entry) => ({ ...entry, text: mask(entry.text) })),
  };
};

const describeCheck = (check: Check, { era }: PlannedCheck, run: RunState) => ({
  id: check.id,
  title: check.title,
  family: check.family,
  level: levelFor(check, era),
  tier: check.tier,
  transport: run.link.place.transport,
  era: check.eras === 'both' ? ('both' as const) : era,
  source: sourceFor(check, era),
  remedy: check.remedy,
});

/** What one try of a check came to. */
interface Try {
  readonly finding: Finding;
  readonly evidence: CheckEvidence | undefined;
  /** Something was thrown in its course. */
  readonly threw: boolean;
  /** A process that it started ended by itself. */
  readonly died: boolean;
  /** So did the one that all checks share; another check may have been the cause. */
  readonly gone: boolean;
  /** It spoke to a process that another check had used before. */
  readonly reused: boolean;
}

const tryOnce = async (planned: PlannedCheck, run: RunState, options: ProbeOptions = {}): Promise<Try> => {
  const { check, era } = planned;
  const ms = run.target.budgets.checkMs;
  const from = run.link.transcript.length;
  const controller = new AbortController();
  const time = new OwnTime();
  const probe = new RunProbe(run, era, AbortSignal.any([run.link.signal, controller.signal]), { ...options, time });
  let finding: Finding;
  let threw = false;
  let gone = false;
  try {
    finding = await time.within(check.run(probe), { ms, what: 'verdict' });
  } catch (thrown) {
    threw = true;
    gone = thrown instanceof Gone;
    finding =
      thrown instanceof NoAnswer && thrown.message.startsWith('No verdict')
        ? notVerified(`The check took longer than ${ms} ms.`, 'a larger budget (budgets.checkMs)')
        : findingOf(thrown);
  } finally {
    controller.abort();
    await probe.release();
  }
  const { died, reused } = probe;
  const evidence = evidenceOf(finding, { planned, probe, run, from });
  return { finding, evidence, threw, died, gone, reused };
};

/** What a used process answered counts; that it failed or fell silent may be the doing of the check before. */
const tryFirst = async (planned: PlannedCheck, run: RunState): Promise<Try> => {
  const first = await tryOnce(planned, run);
  const isDoubted = first.reused && (first.threw || first.died) && !run.link.signal.aborted;
  return isDoubted ? await tryOnce(planned, run, { fresh: true }) : first;
};

/**
 * A MUST is broken only when it is broken twice, by a server that is there both times. The second try is on a fresh process;
 * when that does not show what a used one did, another fresh one decides.
 */
const tried = async (planned: PlannedCheck, run: RunState): Promise<Pick<Try, 'finding' | 'evidence'>> => {
  const { check } = planned;
  const first = await tryFirst(planned, run);
  const isBroken = first.finding.kind === 'broken';
  if (check.phase === 'last' || (!isBroken && !first.threw) || run.link.signal.aborted) return first;
  const pulse = await run.pulse.feel();
  if (pulse === 'dead') return { finding: STOPPED, evidence: undefined };
  if (first.died) return { finding: DIED, evidence: undefined };
  if (pulse !== 'revived' && (!isBroken || levelFor(check, planned.era) !== 'MUST')) return first;
  if (check.unrepeatable === true && pulse === 'alive') return first;
  const second = await tryOnce(planned, run, { fresh: true });
  if (second.died || second.gone) return { finding: DIED, evidence: undefined };
  if (second.finding.kind === 'broken' || pulse === 'revived' || first.finding.kind !== 'broken') return second;
  const last = first.reused ? await tryOnce(planned, run, { fresh: true }) : first;
  if (last.finding.kind !== 'broken') return second;
  const { detail, expected, exchange } = last.finding;
  const unsteady = doubtful({ detail: `Not at every try: ${detail}`, expected, exchange });
  return { finding: unsteady, evidence: last.evidence };
};

const carriedOut = async (planned: PlannedCheck, run: RunState): Promise<Pick<Try, 'finding' | 'evidence'>> => {
  const { inapplicable, unverifiable } = planned;
  const without = (finding: Finding) => ({ finding, evidence: undefined });
  if (inapplicable !== undefined) return without(notApplicable(inapplicable));
  if (unverifiable !== undefined) return without(notVerified(unverifiable, 'an access token (headers or auth)'));
  if (run.pulse.diedAt !== undefined && planned.check.perRun !== true) return without(STOPPED);
  return await tried(planned, run);
};

const resultOf = (
  planned: PlannedCheck,
  run: RunState,
  { finding, evidence }: Pick<Try, 'finding' | 'evidence'>,
  durationMs: number,
): CheckResult => ({
  ...describeCheck(planned.check, planned, run),
  verdict: verdictOf(finding, levelFor(planned.check, planned.era)),
  ...(finding.kind === 'broken' || finding.kind === 'doubtful' ? { problem: problemOf(planned.check) } : {}),
  ...(finding.detail === undefined ? {} : { detail: run.mask(finding.detail) }),
  ...(finding.kind === 'not-verified' ? { supply: finding.supply } : {}),
  ...(evidence === undefined ? {} : { evidence }),
  durationMs,
});

/** Runs one check and closes everything that it opened. */
export const runCheck = async (planned: PlannedCheck, run: RunState): Promise<CheckResult> => {
  const started = performance.now();
  const found = await carriedOut(planned, run);
  return resultOf(planned, run, found, Math.round(performance.now() - started));
};

/** The same check, when it turns out that the server was gone before it had a verdict. */
export const asStopped = (planned: PlannedCheck, run: RunState, { durationMs }: CheckResult): CheckResult =>
  resultOf(planned, run, { finding: STOPPED, evidence: undefined }, durationMs);
