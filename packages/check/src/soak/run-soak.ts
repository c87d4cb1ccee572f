import { anySignal } from '../connection/any-signal.js';
import { setMaxListeners } from 'node:events';
import {
  loadPlan,
  type CheckEra,
  type SoakFinding,
  type SoakPlan,
  type SoakReport,
  type SoakSample,
} from '@plugboard/contract';
import { processUsage } from '@plugboard/testing/measure';
import { checkedServerOf, type ServerFacts } from '../discovery/server-facts.js';
import { CallText, type LoadCall } from '../load/call/call-text.js';
import { Canaries } from '../load/call/canary.js';
import { Conversation } from '../load/call/conversation.js';
import { Violations } from '../load/call/violations.js';
import { chooseCall } from '../load/choose-call.js';
import type { LoadLine } from '../load/line/load-line.js';
import { openLine } from '../load/line/open-line.js';
import { CANCELLED, onTarget } from '../load/on-target.js';
import { openCrew } from '../load/scenario/crew.js';
import type { Ground } from '../load/scenario/ground.js';
import { isGone } from '../load/scenario/is-gone.js';
import { healthCall } from '../load/scenario/health-call.js';
import { measure } from '../load/scenario/measure.js';
import { Metrics } from '../load/threshold/metrics.js';
import type { PlaceOptions } from '../locate/place.js';
import { createOracles } from '../oracle/schema-oracle.js';
import { labelOf } from '../target/label.js';
import type { Link } from '../session/link.js';
import type { CheckTarget } from '../target/target.js';
import { judgeGrowth, judgeSessions } from './judge-growth.js';
import { SessionChurn } from './session-churn.js';

export interface SoakProgress {
  readonly sample: SoakSample;
  readonly findings: readonly SoakFinding[];
  readonly elapsedMs: number;
  readonly totalMs: number;
}

export interface SoakOptions extends PlaceOptions {
  readonly version: string;
  readonly plan: SoakPlan;
  /** The process of a server behind a URL. */
  readonly pid?: number | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SoakProgress) => void;
}

type Soaked = Pick<SoakReport, 'samples' | 'findings' | 'violations' | 'churned' | 'stoppedEarly' | 'outcome'> &
  Partial<Pick<SoakReport, 'server' | 'era' | 'call' | 'errors' | 'reason'>> & {
    readonly transport?: NonNullable<SoakReport['target']['transport']>;
  };

const NOTHING = {
  samples: [],
  findings: [],
  violations: [],
  churned: { deleted: 0, abandoned: 0, refused: 0 },
  stoppedEarly: false,
} as const satisfies Partial<Soaked>;

const TICK_MS = 1_000;
/** Judged every so many samples. */
const JUDGE_EVERY = 5;
/** A server that does not survive the load has failed, whatever grows. */
const GONE = { outcome: 'failed', reason: 'The server ended during the run.' } as const;
/** More failures than this, and what grows means nothing. */
const MOST_FAILED = 0.5;

const judge = (
  samples: readonly SoakSample[],
  deleted: number,
  { warmUpSeconds }: SoakPlan,
): readonly SoakFinding[] => [
  ...(['rss', 'handles', 'latency'] as const).map((metric) => judgeGrowth(metric, samples, warmUpSeconds * 1_000)),
  judgeSessions(samples, deleted),
];

const isCertain = (findings: readonly SoakFinding[]): boolean =>
  findings.some(({ verdict }) => verdict === 'grows') ||
  (findings.every(({ verdict }) => verdict === 'stable' || verdict === 'not-measured') &&
    findings.some(({ verdict }) => verdict === 'stable'));

const outcomeOf = ({
  findings,
  violations,
  samples,
  errors,
}: Pick<Soaked, 'findings' | 'violations' | 'samples' | 'errors'>): Pick<Soaked, 'outcome' | 'reason'> => {
  const last = samples.at(-1);
  if (last === undefined) return { outcome: 'not-examined', reason: 'Nothing was measured.' };
  if (last.failed > last.calls * MOST_FAILED) {
    const [usual] = Object.entries(errors ?? {}).toSorted(([, one], [, two]) => two - one);
    const why = usual === undefined ? '' : `, most of them with "${usual[0]}"`;
    const advice = usual?.[0] === 'HTTP 429' ? ' The server limits the rate: lower --rate.' : '';
    return { outcome: 'failed', reason: `${last.failed} of ${last.calls} calls failed${why}.${advice}` };
  }
  if (violations.length > 0 || findings.some(({ verdict }) => verdict === 'grows')) return { outcome: 'failed' };
  return findings.some(({ verdict }) => verdict === 'undecided')
    ? { outcome: 'incomplete', reason: 'Not every metric could be decided. Raise --duration or --rate.' }
    : { outcome: 'passed' };
};

const pingOf =
  (era: CheckEra, deadlineMs: number) =>
  async (line: LoadLine): Promise<boolean> => {
    const arrival = await line.request(new CallText(healthCall(era), line).write(1, ''), deadlineMs);
    return arrival.kind === 'answer' && 'result' in arrival.message;
  };

const groundOf = (
  {
    link,
    era,
    call,
    deadlineMs,
  }: { readonly link: Link; readonly era: CheckEra; readonly call: LoadCall; readonly deadlineMs: number },
  shared: Conversation | undefined,
  violations: Violations,
): Ground => ({
  link,
  era,
  plan: loadPlan.parse({}),
  call,
  slowCall: undefined,
  canaries: new Canaries(),
  violations,
  metrics: new Metrics(),
  oracle: createOracles(),
  deadlineMs,
  signal: link.signal,
  shared,
  onSteady: () => undefined,
  onProgress: () => undefined,
  onPhase: () => undefined,
});

const soak = async (
  target: CheckTarget,
  { link, facts, options }: { readonly link: Link; readonly facts: ServerFacts; readonly options: SoakOptions },
): Promise<Soaked> => {
  const { plan } = options;
  const [era = 'legacy'] = target.era === undefined ? facts.eras.toReversed() : facts.eras;
  const session = facts.sessions[era];
  if (session === undefined) throw new Error('The server requires a token that it was not given.');
  const { call, note } = await chooseCall(session, target, target.load ?? loadPlan.parse({}));
  await Promise.allSettled(Object.values(facts.sessions).map((one) => one.close()));
  const violations = new Violations();
  const shared = link.place.transport === 'stdio' ? new Conversation(violations) : undefined;
  if (shared !== undefined) shared.line = await openLine(link, era, (message) => shared.stray(message));
  const ground = groundOf({ link, era, call, deadlineMs: target.budgets.requestMs }, shared, violations);
  const crew = await openCrew(ground, plan.concurrency);
  const churn = new SessionChurn({
    plan: era === 'legacy' && link.place.transport === 'streamable-http' ? plan : { ...plan, churn: 0 },
    open: () => openLine(link, era, () => undefined),
    ping: pingOf(era, target.budgets.requestMs),
    signal: link.signal,
  });
  const pid = options.pid ?? shared?.line.pid;
  const samples: SoakSample[] = [];
  let findings: readonly SoakFinding[] = [];
  let [calls, failed] = [0, 0];
  let hasGone = false;
  const errors: Record<string, number> = {};
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  churn.start();
  try {
    while (
      !link.signal.aborted &&
      shared?.line.hasEnded !== true &&
      elapsed() < plan.seconds * 1_000 &&
      !isCertain(findings)
    ) {
      const phase = await measure(ground, crew.callers, {
        scenario: 'soak',
        name: 'soak',
        ms: TICK_MS,
        rate: plan.rate,
        silent: true,
      });
      calls += phase.calls;
      failed += phase.failed;
      for (const [error, count] of Object.entries(phase.errors)) errors[error] = (errors[error] ?? 0) + count;
      const usage = pid === undefined ? undefined : await processUsage(pid);
      const sample: SoakSample = {
        at: elapsed(),
        calls,
        failed,
        latency: phase.uncorrected.p50,
        sessions: churn.churned.alive,
        ...(usage === undefined ? {} : { rss: usage.rssBytes, handles: usage.handles }),
      };
      samples.push(sample);
      if (samples.length % JUDGE_EVERY === 0) findings = judge(samples, churn.churned.deleted, plan);
      options.onProgress?.({ sample, findings, elapsedMs: elapsed(), totalMs: plan.seconds * 1_000 });
    }
    hasGone = !link.signal.aborted && (await isGone(ground));
  } finally {
    await churn.stop();
    await crew.close();
    await shared?.line.close();
  }
  const stoppedEarly = isCertain(findings) && elapsed() < plan.seconds * 1_000;
  if (!stoppedEarly) findings = judge(samples, churn.churned.deleted, plan);
  const { deleted, abandoned, refused } = churn.churned;
  const seen = { samples, errors, findings: [...findings], violations: [...violations.all] };
  return {
    ...seen,
    churned: { deleted, abandoned, refused },
    stoppedEarly,
    server: checkedServerOf(facts),
    era,
    transport: link.place.transport,
    call: {
      method: call.method,
      ...(call.tool === undefined ? {} : { tool: call.tool }),
      ...(note === undefined ? {} : { note }),
    },
    ...(link.signal.aborted ? CANCELLED : hasGone ? GONE : outcomeOf(seen)),
  };
};

/** Calls a target steadily, and finds out whether something of it grows without end. */
export const runSoak = async (target: CheckTarget, options: SoakOptions): Promise<SoakReport> => {
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const ended = new AbortController();
  const signal = anySignal(ended.signal, options.signal);
  // Every caller waits on it.
  setMaxListeners(0, signal);
  const { transport, ...soaked }: Soaked = {
    ...NOTHING,
    ...(await onTarget(target, options, signal, (reached, link, facts) => soak(reached, { link, facts, options }))),
  };
  return {
    format: 'plugboard.soak/1',
    version: options.version,
    target: { label: labelOf(target), ...(transport === undefined ? {} : { transport }) },
    startedAt,
    durationMs: Math.round(performance.now() - started),
    plan: options.plan,
    ...soaked,
    churned: { ...soaked.churned },
  };
};
