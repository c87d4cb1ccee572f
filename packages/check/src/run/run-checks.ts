import { randomInt } from 'node:crypto';
import type { CheckedServer, CheckReport, CheckResult } from '@plugboard/contract';
import { authenticated } from '../auth/authenticated.js';
import { DIFFERENTIAL_CHECKS } from '../differential/differential-checks.js';
import { runDifferential } from '../differential/run-differential.js';
import { checkedServerOf, type ServerFacts } from '../facts/server-facts.js';
import { findFacts } from '../facts/find-facts.js';
import type { Check } from '../model/check.js';
import { createOracles } from '../oracle/schema-oracle.js';
import { isWanted, planChecks, type PlannedCheck } from '../plan/plan.js';
import type { RunState } from '../probe/run-probe.js';
import type { CheckTarget } from '../target/target.js';
import { applyBaseline } from './baseline.js';
import { eachAtMost } from './each-at-most.js';
import { secretMask, type Mask } from './mask-secrets.js';
import { openLink } from './open-link.js';
import type { PlaceOptions } from './place.js';
import { runCheck } from './run-check.js';
import type { RunEvent } from './run-event.js';
import { outcomeOf, summarise } from './summary.js';

export interface RunOptions extends PlaceOptions {
  readonly checks: readonly Check[];
  readonly version: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  readonly now?: () => Date;
  /** What no report may say, besides the headers and the environment of the target. */
  readonly secrets?: readonly string[] | undefined;
}

/** Why a run was ended by nobody else. */
class Overtime extends Error {
  constructor(ms: number) {
    super(`The run took longer than ${ms} ms.`);
  }
}

interface Ran {
  readonly results: readonly CheckResult[];
  readonly server?: CheckedServer;
  readonly transport?: CheckResult['transport'];
  readonly reason?: string;
}

export const labelOf = (target: CheckTarget): string =>
  target.name ?? target.url ?? target.command?.join(' ') ?? 'target';

/** Three waves: what may run side by side, what must run alone, and what looks back. */
const waves = (planned: readonly PlannedCheck[]): readonly (readonly PlannedCheck[])[] => {
  const waveOf = ({ check }: PlannedCheck): number => (check.phase === 'last' ? 2 : check.alone === true ? 1 : 0);
  return [0, 1, 2].map((wave) => planned.filter((item) => waveOf(item) === wave));
};

const runPlanned = async (
  run: RunState,
  planned: readonly PlannedCheck[],
  options: RunOptions,
): Promise<CheckResult[]> => {
  const results = new Map<PlannedCheck, CheckResult>();
  for (const [index, wave] of waves(planned).entries()) {
    const atOnce = index === 1 ? 1 : run.target.budgets.concurrency;
    await eachAtMost(atOnce, wave, async (item) => {
      if (run.link.signal.aborted) return;
      options.onEvent?.({ type: 'started', id: item.check.id, era: item.check.eras === 'both' ? 'both' : item.era });
      const result = await runCheck(item, run);
      results.set(item, result);
      options.onEvent?.({ type: 'judged', result, done: results.size, planned: planned.length });
    });
  }
  return planned.flatMap((item) => results.get(item) ?? []);
};

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
  mask(`The other way to the server cannot be examined: ${error instanceof Error ? error.message : String(error)}`);

const whyEnded = (signal: AbortSignal): string =>
  signal.reason instanceof Overtime ? signal.reason.message : 'The run was cancelled.';

const examine = async (given: CheckTarget, seed: number, options: RunOptions, signal: AbortSignal): Promise<Ran> => {
  let facts: ServerFacts | undefined;
  let target = given;
  try {
    signal.throwIfAborted();
    target = await authenticated(given, { ...options, ms: given.budgets.requestMs, signal });
    const mask = secretMask(target, options.secrets);
    const link = await openLink(target, options, signal);
    facts = await findFacts(link, target.era);
    const server = checkedServerOf(facts);
    const planned = planChecks(options.checks, target, facts);
    options.onEvent?.({ type: 'reached', server, planned: planned.length });
    const run = { link, target, facts, seed, oracle: createOracles(), lists: new Map(), known: new Map(), mask };
    const judged = await runPlanned(run, planned, options);
    const compared = await compareWays(run, options).catch((error: unknown) => ({
      reason: otherWayFailed(error, mask),
    }));
    const results = 'reason' in compared ? judged : [...judged, ...compared];
    const reason = signal.aborted ? { reason: whyEnded(signal) } : 'reason' in compared ? compared : {};
    return { results, server, transport: link.place.transport, ...reason };
  } catch (error) {
    if (signal.aborted) return { results: [], reason: whyEnded(signal) };
    return {
      results: [],
      reason: secretMask(target, options.secrets)(error instanceof Error ? error.message : String(error)),
    };
  } finally {
    await Promise.allSettled(Object.values(facts?.sessions ?? {}).map((session) => session.close()));
  }
};

/** Runs the checks on the target. Never throws for what the server does: that is what the report is for. */
export const runChecks = async (target: CheckTarget, options: RunOptions): Promise<CheckReport> => {
  const started = performance.now();
  const startedAt = (options.now?.() ?? new Date()).toISOString();
  const seed = target.seed ?? randomInt(2 ** 31);
  const overtime = new AbortController();
  const signal = AbortSignal.any([overtime.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const timer = setTimeout(() => overtime.abort(new Overtime(target.budgets.runMs)), target.budgets.runMs);
  const ran = await examine(target, seed, options, signal).finally(() => clearTimeout(timer));
  const { results, stale } = applyBaseline(ran.results, target.baseline);
  const outcome = ran.reason === undefined ? outcomeOf(results, { gate: target.failOn, stale }) : 'not-examined';
  const report: CheckReport = {
    format: 'plugboard.check/1',
    version: options.version,
    target: { label: labelOf(target), ...(ran.transport === undefined ? {} : { transport: ran.transport }) },
    ...(ran.server === undefined ? {} : { server: ran.server }),
    startedAt,
    durationMs: Math.round(performance.now() - started),
    seed,
    tier: target.tier,
    failOn: target.failOn,
    results: [...results],
    summary: summarise(results),
    staleBaseline: [...stale],
    outcome,
    ...(ran.reason === undefined ? {} : { reason: ran.reason }),
  };
  options.onEvent?.({ type: 'finished', report });
  return report;
};
