import { randomInt } from 'node:crypto';
import type { CheckCall, CheckEra, CheckedServer, CheckPlanEntry, CheckReport, CheckResult } from '@plugboard/contract';
import { anySignal } from '../connection/any-signal.js';
import { authenticated } from '../auth/authenticated.js';
import { DIFFERENTIAL_CHECKS } from '../differential/differential-checks.js';
import { runDifferential } from '../differential/run-differential.js';
import { checkedServerOf, type ServerFacts } from '../discovery/server-facts.js';
import { findFacts } from '../discovery/find-facts.js';
import { Unreachable } from '../connection/no-answer.js';
import { SpareProcess } from '../connection/spare-process.js';
import { Transcript } from '../connection/transcript.js';
import type { Check } from '../model/check.js';
import { isWanted, planChecks } from '../plan/plan.js';
import { Observations } from '../session/observations.js';
import { Memories } from '../probe/memory.js';
import type { RunState } from '../probe/run-state.js';
import type { Link } from '../session/link.js';
import { openSession } from '../session/open-session.js';
import { ProcessPool } from '../session/process-pool.js';
import { labelOf } from '../target/label.js';
import type { CheckTarget } from '../target/target.js';
import { secretMask, type Mask } from '../target/mask-secrets.js';
import { openLink } from '../locate/open-link.js';
import type { PlaceOptions } from '../locate/place.js';
import type { RunEvent } from './run-event.js';
import { runPlanned } from './run-planned.js';
import { accountOf, dryRun } from './dry-run.js';
import { incompleteReason, outcomeOf, summarise } from './summary.js';
import { CallLedger } from '../calls/ledger.js';
import { createOracles } from '../oracle/schema-oracle.js';
import { Pulse } from '../liveness/pulse.js';
import { Silences } from '../session/silences.js';

export interface RunOptions extends PlaceOptions {
  readonly checks: readonly Check[];
  readonly version: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  readonly now?: () => Date;
  /** What no report may say, besides the headers and the environment of the target. */
  readonly secrets?: readonly string[] | undefined;
  /** How the operator named the target: a file, or a registered server. Lines that repeat a check name it so, too. */
  readonly from?: string | undefined;
}

/** The reason of a run that exceeded its own time limit. */
class Overtime extends Error {
  constructor(ms: number) {
    super(`The run took longer than ${ms} ms.`);
  }
}

interface Ran {
  readonly results: readonly CheckResult[];
  readonly server?: CheckedServer;
  readonly firstAnswerMs?: number;
  readonly calls?: readonly CheckCall[];
  readonly plan?: readonly CheckPlanEntry[];
  readonly transport?: CheckResult['transport'];
  readonly reason?: string;
  /** It stopped answering, and did not come back. */
  readonly died?: boolean;
  /** Nothing answers there at all. */
  readonly unreachable?: boolean;
}

/** The other way to the server, when the target names one. */
const compareWays = async (run: RunState, options: RunOptions): Promise<readonly CheckResult[]> => {
  const { differential } = run.target;
  const checks = DIFFERENTIAL_CHECKS.filter(({ id }) =>
    isWanted({ id, family: 'differential', tier: 'smoke' }, run.target),
  );
  if (differential === undefined || checks.length === 0) return [];
  let done = 0;
  return await runDifferential(run, differential, {
    ...options,
    checks,
    onResult: (result) => {
      done += 1;
      options.onEvent?.({ type: 'judged', result, done, planned: checks.length });
    },
  });
};

const otherWayFailed = (error: unknown, mask: Mask): string =>
  mask(
    `The other connection to the server cannot be checked: ${error instanceof Error ? error.message : String(error)}`,
  );

const whyEnded = (signal: AbortSignal): string =>
  signal.reason instanceof Overtime ? signal.reason.message : 'The run was cancelled.';

/** How much slower than the first start another one may be, when several start at once on a busy machine. */
const SLOWER_STARTS = 4;

/** How long a start that is to prove the silence of another one may take. */
const CONTROL_MS = 60_000;

/**
 * Whether a program that has answered before does so again when it is started anew. Once it does not, it is not asked again:
 * a server that is down would cost every check a minute.
 */
const startControl = (link: Link, era: CheckEra): (() => Promise<boolean>) => {
  const startsAnew = async (): Promise<boolean> => {
    const budgets = { ...link.budgets, startMs: Math.max(CONTROL_MS, link.budgets.startMs) };
    // What it takes to prove something is no part of what the server is judged by.
    const aside = { ...link, budgets, observations: new Observations(), transcript: new Transcript() };
    const session = await openSession(aside, { era }).catch(() => undefined);
    await session?.close();
    return session !== undefined;
  };
  let isDown = false;
  return async () => {
    isDown ||= !(await startsAnew());
    return !isDown;
  };
};

/** In a smoke run, whose checks need one more process than the facts do, that process starts at the same time as theirs. */
const spareFor = ({ place }: Link, { tier, only, suites, dryRun }: CheckTarget): SpareProcess | undefined => {
  const isWhole = only.length === 0 && suites.length === 0 && !dryRun;
  if (place.transport !== 'stdio' || tier !== 'smoke' || !isWhole) return undefined;
  return new SpareProcess(place.launch, place.program);
};

const withSpare = (link: Link, spare: SpareProcess | undefined): Link =>
  spare === undefined || link.place.transport !== 'stdio'
    ? link
    : { ...link, place: { ...link.place, launch: spare.launch } };

/** How long the server took to answer for the first time. */
const firstAnswerOf = ({ sessions }: ServerFacts): number =>
  Math.round(Math.min(...Object.values(sessions).map(({ opening }) => opening.elapsedMs)));

/** Gives later starts time by what the first ones took: only the server's silence may count against it. */
const patientLink = (link: Link, { sessions, eras: [era = 'legacy'] }: ServerFacts): Link => {
  if (link.place.transport !== 'stdio') return link;
  const slowest = Math.max(0, ...Object.values(sessions).map(({ opening }) => opening.elapsedMs));
  const startMs = Math.max(link.budgets.startMs, Math.ceil(SLOWER_STARTS * slowest));
  const patient = { ...link, budgets: { ...link.budgets, startMs } };
  return { ...patient, startControl: startControl(patient, era) };
};

/** What all checks of a run share, at its beginning. */
const runStateOf = (given: Pick<RunState, 'link' | 'target' | 'facts' | 'seed' | 'mask' | 'from'>): RunState => {
  const memories = new Memories();
  const pulse = new Pulse(given.link, given.facts, () => memories.clear());
  const ledger = new CallLedger(given.target);
  given.link.transcript.onSent = (text) => ledger.sent(text);
  const pool = new ProcessPool(given.link);
  return {
    ...given,
    ledger,
    oracle: createOracles(),
    memories,
    turns: new Map(),
    pulse,
    silences: new Silences(),
    overload: { isLasting: false },
    pool,
  };
};

const examine = async (given: CheckTarget, seed: number, options: RunOptions, signal: AbortSignal): Promise<Ran> => {
  let facts: ServerFacts | undefined;
  let pool: ProcessPool | undefined;
  let memories: Memories | undefined;
  let spare: SpareProcess | undefined;
  let target = given;
  try {
    signal.throwIfAborted();
    target = await authenticated(given, { ...options, ms: given.budgets.requestMs, signal });
    const mask = secretMask(target, options.secrets);
    const reached = await openLink(target, options, signal);
    spare = spareFor(reached, target);
    facts = await findFacts(reached, target.era);
    const link = withSpare(patientLink(reached, facts), spare);
    const server = checkedServerOf(facts);
    const planned = planChecks(options.checks, target, facts);
    options.onEvent?.({ type: 'reached', server, planned: planned.length });
    const firstAnswerMs = firstAnswerOf(facts);
    const run = runStateOf({ link, target, facts, seed, mask, from: options.from });
    ({ pool, memories } = run);
    if (target.dryRun) return { ...(await dryRun(run, planned)), server, transport: link.place.transport };
    const judged = await runPlanned(run, planned, options.onEvent);
    const compared = await compareWays(run, options).catch((error: unknown) => ({
      reason: otherWayFailed(error, mask),
    }));
    const results = 'reason' in compared ? judged : [...judged, ...compared];
    const reason = signal.aborted ? { reason: whyEnded(signal) } : 'reason' in compared ? compared : {};
    const died = run.pulse.diedAt !== undefined;
    const calls = await accountOf(run);
    return { results, server, firstAnswerMs, transport: link.place.transport, died, calls, ...reason };
  } catch (error) {
    if (signal.aborted) return { results: [], reason: whyEnded(signal) };
    return {
      results: [],
      reason: secretMask(target, options.secrets)(error instanceof Error ? error.message : String(error)),
      unreachable: error instanceof Unreachable,
    };
  } finally {
    const sessions = Object.values(facts?.sessions ?? {});
    await Promise.allSettled([
      pool?.close(),
      memories?.close(),
      spare?.close(),
      ...sessions.map((session) => session.close()),
    ]);
  }
};

interface BaselineOutcome {
  readonly results: readonly CheckResult[];
  /** Entries for which nothing fails any more. */
  readonly stale: readonly string[];
}

const isFinding = ({ verdict }: CheckResult): boolean => verdict === 'fail' || verdict === 'warn';

const covers = (entry: string, { id, era }: CheckResult): boolean => entry === id || entry === `${id}@${era}`;

/** Marks the findings that are known. An entry is stale when its check was judged and found nothing. */
const applyBaseline = (results: readonly CheckResult[], baseline: readonly string[]): BaselineOutcome => ({
  results: results.map((result) =>
    isFinding(result) && baseline.some((entry) => covers(entry, result)) ? { ...result, expected: true } : result,
  ),
  stale: baseline.filter((entry) => !results.some((result) => isFinding(result) && covers(entry, result))),
});

/** Runs the checks on the target. Never throws for what the server does: that is what the report is for. */
export const runChecks = async (target: CheckTarget, options: RunOptions): Promise<CheckReport> => {
  const started = performance.now();
  const startedAt = (options.now?.() ?? new Date()).toISOString();
  const seed = target.seed ?? randomInt(2 ** 31);
  const overtime = new AbortController();
  const signal = anySignal(overtime.signal, options.signal);
  const timer = setTimeout(() => overtime.abort(new Overtime(target.budgets.runMs)), target.budgets.runMs);
  const ran = await examine(target, seed, options, signal).finally(() => clearTimeout(timer));
  const { results, stale } = applyBaseline(ran.results, target.baseline);
  const summary = summarise(results);
  // Neither a gate nor a baseline lets a server pass that has ended.
  const judged = ran.died === true ? 'failed' : outcomeOf(results, { gate: target.failOn, stale });
  const outcome = ran.unreachable === true ? 'unreachable' : ran.reason === undefined ? judged : 'not-examined';
  const reason = ran.reason ?? (outcome === 'incomplete' ? incompleteReason(summary) : undefined);
  const report: CheckReport = {
    format: 'plugboard.check/1',
    version: options.version,
    target: { label: labelOf(target), ...(ran.transport === undefined ? {} : { transport: ran.transport }) },
    ...(ran.server === undefined ? {} : { server: ran.server }),
    startedAt,
    durationMs: Math.round(performance.now() - started),
    ...(Number.isFinite(ran.firstAnswerMs) ? { firstAnswerMs: ran.firstAnswerMs } : {}),
    seed,
    tier: target.tier,
    failOn: target.failOn,
    results: [...results],
    ...(ran.calls === undefined ? {} : { calls: [...ran.calls] }),
    ...(ran.plan === undefined ? {} : { plan: [...ran.plan] }),
    summary: ran.reason === undefined && ran.died !== true ? summary : { ...summary, rate: null },
    staleBaseline: [...stale],
    outcome,
    ...(reason === undefined ? {} : { reason }),
  };
  options.onEvent?.({ type: 'finished', report });
  return report;
};
