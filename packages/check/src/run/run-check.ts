import type { CheckEvidence, CheckResult, CheckLevel, CheckVerdict } from '@plugboard/contract';
import { anySignal } from '../connection/any-signal.js';
import { pause } from '../connection/deadline.js';
import { problemOf } from '../catalogue/problems.js';
import { CallRefused } from '../calls/call-refused.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import { OwnTime } from '../connection/own-time.js';
import { isBeforeDemand, levelFor, sourceFor, type Check } from '../model/check.js';
import { broken, doubtful, notApplicable, notVerified, type Finding } from '../model/finding.js';
import type { PlannedCheck } from '../plan/plan.js';
import { observeAgain } from '../probe/observe-again.js';
import { RunProbe, type ProbeOptions } from '../probe/run-probe.js';
import type { RunState } from '../probe/run-state.js';
import { checkLine } from '../reproduce/check-line.js';
import { reproducer } from '../reproduce/reproducer.js';
import { Gone } from '../session/death.js';
import { openSession } from '../session/open-session.js';
import type { Exchange } from '../session/exchange.js';
import { Unanswered } from '../session/unanswered.js';
import { overloadIn } from './overload.js';
import { mayPass, troubleIn } from './trouble.js';

const MAX_TRANSCRIPT = 120;

const STOPPED = notVerified('The server stopped answering (LIF-29).', 'a server that keeps running until the end');

const DIED = notVerified(
  'The server exited during this check (LIF-29).',
  'a server that keeps running during the check',
);

const CANCELLED = notVerified(
  'The run ended before this check was finished.',
  'a run that is not cancelled, or a larger budget (budgets.runMs)',
);

/** What an exception means: a server that does not answer, or cannot be reached, was not judged. */
const findingOf = (thrown: unknown, { demandsAnswer = false }: Check): Finding => {
  if (thrown instanceof NoAnswer && demandsAnswer) {
    const exchange = { sent: thrown.sent, received: thrown.received, connection: 0, recipe: undefined };
    return broken({ detail: thrown.message, expected: 'an answer in time', exchange });
  }
  if (thrown instanceof NoAnswer) return notVerified(thrown.message, 'a server that answers in time');
  if (thrown instanceof CallRefused) return notVerified(thrown.message, thrown.supply);
  if (thrown instanceof Unreachable) return notVerified(thrown.message, thrown.supply);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return notVerified(`The check could not be completed: ${message}`, 'a connection that stays up');
};

/** A line that sends the same again, or else the command that runs the check again. */
const lineFor = ({ check, era }: PlannedCheck, exchange: Exchange | undefined, run: RunState): string => {
  const single = check.inSequence !== true && exchange !== undefined;
  const sent = single ? reproducer(exchange, run.link.place) : undefined;
  if (sent !== undefined) return sent;
  const { target, seed, from } = run;
  // A check of the whole run sends nothing of its own: alone it would see nothing.
  if (check.perRun === true) return checkLine(target, { id: undefined, era: 'both', seed, from });
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

const revisionIn = ({ facts }: RunState, era: PlannedCheck['era']): string | undefined => facts.sessions[era]?.revision;

const levelIn = ({ check, era }: PlannedCheck, run: RunState): CheckResult['level'] =>
  levelFor(check, era, revisionIn(run, era));

/** What is found of a server whose revision does not demand it says so. */
const dated = (detail: string, { check, era }: PlannedCheck, run: RunState): string => {
  const revision = revisionIn(run, era);
  const isEarly = isBeforeDemand(check, era, revision);
  return isEarly ? `${detail} ${check.since} demands this; the server agreed on ${revision}.` : detail;
};

const describeCheck = (check: Check, { era }: PlannedCheck, run: RunState) => ({
  id: check.id,
  title: check.title,
  family: check.family,
  level: levelFor(check, era, revisionIn(run, era)),
  tier: check.tier,
  transport: run.link.place.transport,
  era: check.eras === 'both' ? ('both' as const) : era,
  source: sourceFor(check, era),
  remedy: check.remedy,
});

/** The outcome of one try of a check. */
interface Try {
  readonly finding: Finding;
  readonly evidence: CheckEvidence | undefined;
  /** Something was thrown in its course. */
  readonly threw: boolean;
  /** An ordinary request had no answer, and the check is not about that. */
  readonly unanswered: Unanswered | undefined;
  /** A process that it started ended by itself. */
  readonly died: boolean;
  /** So did the one that all checks share; another check may have been the cause. */
  readonly gone: boolean;
  /** It spoke to a process that another check had used before. */
  readonly reused: boolean;
  /** Which try it was, from 0. */
  readonly attempt: number;
  /** What came instead of an answer shows that the server could not serve the request just then. */
  readonly overloaded: boolean;
}

type Outcome = Pick<Try, 'finding' | 'evidence'>;

const without = (finding: Finding): Outcome => ({ finding, evidence: undefined });

const isOverdue = (thrown: unknown): boolean =>
  thrown instanceof NoAnswer && thrown.message.startsWith('No verdict within');

const unansweredIn = (thrown: unknown, { demandsAnswer = false }: Check): Try['unanswered'] =>
  thrown instanceof Unanswered && !demandsAnswer ? thrown : undefined;

/** A MUST is not broken by a server that limits its clients, or is down for the moment. */
const overloadOf = (planned: PlannedCheck, finding: Finding, run: RunState): string | undefined => {
  const { perRun = false, family } = planned.check;
  const isGrave = finding.kind === 'broken' && levelIn(planned, run) === 'MUST' && !perRun;
  return isGrave ? overloadIn(finding.exchange, family) : undefined;
};

const tryOnce = async (planned: PlannedCheck, run: RunState, options: ProbeOptions = {}): Promise<Try> => {
  const { check, era } = planned;
  const ms = run.target.budgets.checkMs;
  const from = run.link.transcript.length;
  const controller = new AbortController();
  const time = new OwnTime();
  const probe = new RunProbe(run, era, anySignal(run.link.signal, controller.signal), { ...options, time });
  let finding: Finding;
  let thrown: unknown;
  try {
    finding = await time.within(check.run(probe), { ms, what: 'verdict' });
  } catch (error) {
    thrown = error;
    finding = isOverdue(error)
      ? notVerified(`The check took longer than ${ms} ms.`, 'a larger budget (budgets.checkMs)')
      : findingOf(error, check);
  } finally {
    controller.abort();
    await probe.release();
  }
  const { died, reused } = probe;
  const overload = overloadOf(planned, finding, run);
  if (overload !== undefined) {
    finding = notVerified(`The server answered with ${overload}.`, 'a server that accepts the requests of a whole run');
  }
  const evidence = evidenceOf(finding, { planned, probe, run, from });
  return {
    finding,
    evidence,
    threw: thrown !== undefined,
    unanswered: unansweredIn(thrown, check),
    died,
    gone: thrown instanceof Gone,
    reused,
    attempt: options.attempt ?? 0,
    overloaded: overload !== undefined,
  };
};

/** What a used process answered counts; that it failed or fell silent may be the doing of the check before. */
const tryFirst = async (planned: PlannedCheck, run: RunState): Promise<Try> => {
  const first = await tryOnce(planned, run);
  const isDoubted = first.reused && (first.threw || first.died) && !run.link.signal.aborted;
  return isDoubted ? await tryOnce(planned, run, { attempt: 1 }) : first;
};

/** Another try, which shares nothing with the one before: new processes, lists and calls. */
const tryAgain = async (planned: PlannedCheck, run: RunState, { finding, attempt }: Try): Promise<Try> => {
  const next = attempt + 1;
  const observed = finding.kind === 'broken' ? finding.observed : undefined;
  run.ledger.allowMore();
  const eras = planned.check.eras === 'both' ? run.facts.eras : [planned.era];
  for (const era of eras.filter((one) => run.facts.sessions[one] !== undefined)) {
    // Without a conversation of its own it speaks in the one that is open.
    await run.memories.session(next, era, () => openSession(run.link, { era })).catch(() => undefined);
  }
  const observations = observed === undefined ? undefined : await observeAgain(run.link, observed);
  return await tryOnce(planned, run, { attempt: next, observations });
};

/** How long a server that limits its clients gets before it is asked once more. */
const REST_MS = 1_500;

/** A server may limit the rate of requests: it is asked again after a pause, unless that was in vain before. */
const tryWithPause = async (planned: PlannedCheck, run: RunState): Promise<Try> => {
  const first = await tryFirst(planned, run);
  if (!first.overloaded || run.overload.isLasting || run.link.signal.aborted) return first;
  await pause(REST_MS, run.link.signal);
  const later = await tryAgain(planned, run, first);
  run.overload.isLasting ||= later.overloaded;
  return later;
};

/** A request that stays without an answer is one defect (LIF-29), whichever checks send it. */
const asSilent = (unanswered: Unanswered, run: RunState): Outcome => {
  const { method } = unanswered;
  run.silences.record(unanswered);
  return without(notVerified(`The server does not answer ${method} (LIF-29).`, `a server that answers ${method}`));
};

/** A failure that was seen, and not at the second try. */
const unsteady = ({ finding, evidence }: Try, second: Finding): Outcome => {
  if (finding.kind !== 'broken') return without(second);
  const { detail, expected, exchange } = finding;
  const told =
    second.kind === 'not-verified'
      ? `Seen once: ${detail} It could not be tried again: ${second.detail}`
      : `Not at every try: ${detail}`;
  return { finding: doubtful({ detail: told, expected, exchange }), evidence };
};

/** The server as it is at the time of a try: what it answers to everything, when nothing of that is a result. */
const troubleAt = async ({ check, era }: PlannedCheck, run: RunState, attempt: number): Promise<string | undefined> => {
  const eras = check.eras === 'both' ? run.facts.eras : [era];
  for (const one of eras) {
    const session = run.memories.of(attempt).sessions.get(one) ?? run.facts.sessions[one];
    const trouble = session === undefined ? undefined : await troubleIn(session);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
};

/** How often more an error that may pass has to come before it counts. */
const MORE_TRIES = 2;

/**
 * The last word on a MUST that was broken twice. The server must answer requests in good form: what fails like everything else
 * shows nothing. An internal error may come for any request from time to time, so it has to come each time.
 */
const confirmed = async (planned: PlannedCheck, run: RunState, first: Try, second: Try): Promise<Outcome> => {
  let last = second;
  for (let more = 0; more < MORE_TRIES; more += 1) {
    if (last.finding.kind !== 'broken' || !mayPass(last.finding.exchange)) break;
    const again = await tryAgain(planned, run, last);
    if (run.link.signal.aborted) return without(CANCELLED);
    if (again.finding.kind !== 'broken') return unsteady(first, again.finding);
    last = again;
  }
  const trouble = await troubleAt(planned, run, last.attempt);
  if (run.link.signal.aborted) return without(CANCELLED);
  if (trouble === undefined) return last;
  return without(notVerified(`The server answers every request with ${trouble}.`, 'a server that works'));
};

/**
 * A MUST is broken only when it is broken twice, by a server that is there both times. The second try is a new observation on
 * new processes; when that does not show what a used one did, another new one decides.
 */
const tried = async (planned: PlannedCheck, run: RunState): Promise<Outcome> => {
  const { check } = planned;
  const first = await tryWithPause(planned, run);
  if (run.link.signal.aborted) return without(CANCELLED);
  const isBroken = first.finding.kind === 'broken';
  if (check.perRun === true || (!isBroken && !first.threw)) return first;
  const pulse = await run.pulse.feel();
  if (run.link.signal.aborted) return without(CANCELLED);
  if (pulse === 'dead') return without(STOPPED);
  if (first.died) return without(DIED);
  if (first.unanswered !== undefined && run.silences.has(first.unanswered.method)) {
    return asSilent(first.unanswered, run);
  }
  if (first.finding.kind === 'broken' && first.finding.lasts === true) return first;
  const isGrave = isBroken && levelIn(planned, run) === 'MUST';
  if (pulse !== 'revived' && !isGrave && first.unanswered === undefined) return first;
  const second = await tryAgain(planned, run, first);
  if (run.link.signal.aborted) return without(CANCELLED);
  if (second.died || second.gone) return without(DIED);
  if (second.unanswered !== undefined) return asSilent(second.unanswered, run);
  if (second.finding.kind === 'broken' && isGrave) return await confirmed(planned, run, first, second);
  if (second.finding.kind === 'broken' || pulse === 'revived' || !isBroken) return second;
  if (!first.reused) return unsteady(first, second.finding);
  const last = await tryAgain(planned, run, { ...first, attempt: second.attempt });
  if (run.link.signal.aborted) return without(CANCELLED);
  return last.finding.kind === 'broken' ? unsteady(last, second.finding) : second;
};

const carriedOut = async (planned: PlannedCheck, run: RunState): Promise<Outcome> => {
  const { inapplicable, unverifiable } = planned;
  if (inapplicable !== undefined) return without(notApplicable(inapplicable));
  if (unverifiable !== undefined) return without(notVerified(unverifiable, 'an access token (headers or auth)'));
  if (run.pulse.diedAt !== undefined && planned.check.perRun !== true) return without(STOPPED);
  return await tried(planned, run);
};

/** MUST fails; SHOULD and ADVICE warn. */
const verdictOf = (finding: Finding, level: CheckLevel): CheckVerdict => {
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

const resultOf = (
  planned: PlannedCheck,
  run: RunState,
  { finding, evidence }: Outcome,
  durationMs: number,
): CheckResult => {
  const isWrong = finding.kind === 'broken' || finding.kind === 'doubtful';
  const detail = isWrong ? dated(finding.detail, planned, run) : finding.detail;
  return {
    ...describeCheck(planned.check, planned, run),
    verdict: verdictOf(finding, levelIn(planned, run)),
    ...(isWrong ? { problem: problemOf(planned.check) } : {}),
    ...(detail === undefined ? {} : { detail: run.mask(detail) }),
    ...(finding.kind === 'not-verified' ? { supply: finding.supply } : {}),
    ...(evidence === undefined ? {} : { evidence }),
    durationMs,
  };
};

/** Runs one check and closes everything that it opened. */
export const runCheck = async (planned: PlannedCheck, run: RunState): Promise<CheckResult> => {
  const started = performance.now();
  const found = await carriedOut(planned, run);
  return resultOf(planned, run, found, Math.round(performance.now() - started));
};

/** A check that a cancelled run did not come to. */
export const asCancelled = (planned: PlannedCheck, run: RunState): CheckResult => {
  const { inapplicable } = planned;
  return resultOf(planned, run, without(inapplicable === undefined ? CANCELLED : notApplicable(inapplicable)), 0);
};

/** The same check, when it turns out that the server was gone before it had a verdict. */
export const asStopped = (planned: PlannedCheck, run: RunState, { durationMs }: CheckResult): CheckResult =>
  resultOf(planned, run, { finding: STOPPED, evidence: undefined }, durationMs);
