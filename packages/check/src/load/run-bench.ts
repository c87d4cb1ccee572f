import { anySignal } from '../connection/any-signal.js';
import { setMaxListeners } from 'node:events';
import {
  loadPlan,
  PlugboardError,
  type BenchReport,
  type LoadPlan,
  type LoadScenario,
  type ScenarioResult,
} from '@plugboard/contract';
import type { Child } from '../connection/child.js';
import { checkedServerOf, type ServerFacts } from '../discovery/server-facts.js';
import { createOracles } from '../oracle/schema-oracle.js';
import type { PlaceOptions } from '../locate/place.js';
import { labelOf } from '../target/label.js';
import type { Link } from '../session/link.js';
import type { Session } from '../session/session.js';
import type { CheckTarget } from '../target/target.js';
import type { LoadCall } from './call/call-text.js';
import { Canaries } from './call/canary.js';
import { Conversation } from './call/conversation.js';
import { Violations } from './call/violations.js';
import { chooseCall, chooseSlowCall, type OnUntried } from './choose-call.js';
import { GeneratorMeter } from './generator/generator-meter.js';
import { openLine } from './line/open-line.js';
import { CANCELLED, onTarget } from './on-target.js';
import { ProcessWatch } from './process/process-watch.js';
import type { Ground, LoadProgress } from './scenario/ground.js';
import { isGone } from './scenario/is-gone.js';
import { SCENARIOS } from './scenario/scenarios.js';
import { judgeThresholds, thresholdsOf } from './threshold/judge-thresholds.js';
import { Metrics } from './threshold/metrics.js';
import { figuresOfAll, LoadWorkers } from './worker/load-workers.js';

/** What happens during a run, for those who watch. */
export type BenchEvent =
  | { readonly type: 'reached'; readonly note: string | undefined }
  | { readonly type: 'scenario'; readonly scenario: string }
  | ({ readonly type: 'progress'; readonly utilisation: number } & LoadProgress)
  | { readonly type: 'done'; readonly result: ScenarioResult };

export interface BenchOptions extends PlaceOptions {
  readonly version: string;
  /** The process of a server behind a URL. */
  readonly pid?: number | undefined;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: BenchEvent) => void;
  /** Starts a process that runs `serveLoadWorker` on its standard streams, for plans with several workers. */
  readonly launchWorker?: (() => Child) | undefined;
}

type Measured = Pick<BenchReport, 'scenarios' | 'violations' | 'metrics' | 'thresholds'> &
  Partial<Pick<BenchReport, 'server' | 'era' | 'call' | 'process' | 'generator' | 'reason'>> & {
    readonly transport?: NonNullable<BenchReport['target']['transport']>;
    readonly outcome: BenchReport['outcome'];
  };

const NOTHING: Pick<Measured, 'scenarios' | 'violations' | 'metrics' | 'thresholds'> = {
  scenarios: [],
  violations: [],
  metrics: {},
  thresholds: [],
};

const openShared = async (
  link: Link,
  ground: Pick<Ground, 'era' | 'violations'>,
): Promise<Conversation | undefined> => {
  if (link.place.transport !== 'stdio') return undefined;
  const conversation = new Conversation(ground.violations);
  conversation.line = await openLine(link, ground.era, (message) => conversation.stray(message));
  return conversation;
};

const inOrder = ({ scenarios }: LoadPlan): readonly LoadScenario[] =>
  (Object.keys(SCENARIOS) as readonly LoadScenario[]).filter((name) => scenarios.includes(name));

const noteProcess = (metrics: Metrics, figures: BenchReport['process']): void => {
  if (figures === undefined) return;
  metrics.set('cpu', { avg: figures.cpuMean, max: figures.cpuMax });
  if (figures.memoryGrowth !== undefined) metrics.set('memory_growth', { value: figures.memoryGrowth });
  metrics.set('rss', { max: figures.rssMax });
  metrics.set('handles', { max: figures.handlesMax });
  metrics.set('children', { max: figures.childrenMax });
};

const outcomeOf = ({
  violations,
  thresholds,
  scenarios,
}: Pick<Measured, 'violations' | 'thresholds' | 'scenarios'>) => {
  if (violations.length > 0 || thresholds.some(({ verdict }) => verdict === 'fail')) return 'failed';
  const unmeasured = thresholds.some(({ verdict, source }) => verdict === 'not-measured' && source === 'target');
  return unmeasured || scenarios.every(({ skipped }) => skipped !== undefined) ? 'incomplete' : 'passed';
};

/** A scenario that was cancelled on its way: what it has measured, without the conclusion that it would have come to. */
const cutShort = ({ scenario, phases }: ScenarioResult): ScenarioResult => {
  const begun = phases.filter(({ calls }) => calls > 0);
  const calls = begun.reduce((sum, phase) => sum + phase.calls, 0);
  const summary = calls === 0 ? 'cancelled before it measured anything' : `cancelled after ${calls} calls`;
  return { scenario, summary, phases: begun };
};

/** The processes that share the load of this plan. */
const startWorkers = async (
  target: CheckTarget,
  { plan, link, ...rest }: Pick<Ground, 'plan' | 'link' | 'era' | 'call'>,
  launch: BenchOptions['launchWorker'],
): Promise<LoadWorkers | undefined> => {
  if (plan.workers === 1) return undefined;
  if (launch === undefined || link.place.transport === 'stdio') {
    throw new PlugboardError('INVALID_ARGUMENT', 'Several workers need a server behind a URL.', {
      hint: 'The callers of a program share its two pipes: leave --workers out.',
    });
  }
  const { transport } = link.place;
  const { era, call } = rest;
  const start = { target: { ...target, transport, load: plan }, era, call };
  return await LoadWorkers.start(plan.workers, launch, start, link.signal);
};

/** A server that does not survive the load has failed, whatever the thresholds say. */
const GONE = { outcome: 'failed', reason: 'The server ended during the run.' } as const;
const NO_MORE_ANSWERS = 'After the first calls the tool stopped answering, so nothing else was measured.';

/**
 * Chooses the call, which calls the tool once. Over HTTP that would be the first call of the server: `firstCalls` goes before it.
 * A server that does not survive them has no call to measure.
 */
const choose = async (
  session: Session,
  target: CheckTarget,
  { plan, metrics, signal }: Pick<Ground, 'plan' | 'metrics' | 'signal'>,
  firstCalls: OnUntried | undefined,
): Promise<{ readonly call: LoadCall; readonly note: string | undefined; readonly goesOn: boolean }> => {
  let untried: LoadCall | undefined;
  try {
    const chosen = await chooseCall(session, target, plan, async (call) => {
      untried = call;
      await firstCalls?.(call);
    });
    return { ...chosen, goesOn: true };
  } catch (error) {
    const failed = metrics.all['first_calls_failed']?.['count'] ?? 0;
    if (untried === undefined || (failed === 0 && !signal.aborted)) throw error;
    return { call: untried, note: signal.aborted ? undefined : NO_MORE_ANSWERS, goesOn: false };
  }
};

/** Everything that is measured, on a server that was reached. */
const load = async (
  target: CheckTarget,
  plan: LoadPlan,
  { link, facts, options }: { readonly link: Link; readonly facts: ServerFacts; readonly options: BenchOptions },
): Promise<Measured> => {
  const [era = 'legacy'] = target.era === undefined ? facts.eras.toReversed() : facts.eras;
  const session = facts.sessions[era];
  if (session === undefined) throw new Error('The server requires a token, and no accepted token was given.');
  const [violations, metrics] = [new Violations(), new Metrics()];
  const meter = new GeneratorMeter();
  let watch: ProcessWatch | undefined;
  let calls = 0;
  const base: Omit<Ground, 'call' | 'slowCall' | 'shared' | 'workers'> = {
    link,
    era,
    plan,
    canaries: new Canaries(),
    violations,
    metrics,
    oracle: createOracles(),
    deadlineMs: target.budgets.requestMs,
    signal: link.signal,
    onSteady: (begins) => (begins ? watch?.settle() : watch?.unsettle()),
    onProgress: (progress) => options.onEvent?.({ type: 'progress', utilisation: meter.utilisation, ...progress }),
    onPhase: (phase) => {
      calls += phase.calls;
    },
  };
  const scenarios: ScenarioResult[] = [];
  let whole = metrics.all;
  const perform = async (scenario: LoadScenario, ground: Ground): Promise<void> => {
    options.onEvent?.({ type: 'scenario', scenario });
    const ended = { scenario, ...(await SCENARIOS[scenario](ground)) };
    const result = link.signal.aborted ? cutShort(ended) : ended;
    scenarios.push(result);
    options.onEvent?.({ type: 'done', result });
    if (!link.signal.aborted) whole = metrics.all;
  };
  const isCold = link.place.transport !== 'stdio' && plan.scenarios.includes('first-calls');
  const { call, note, goesOn } = await choose(
    session,
    target,
    base,
    isCold
      ? (untried) => perform('first-calls', { ...base, call: untried, slowCall: undefined, shared: undefined })
      : undefined,
  );
  const slowCall = goesOn ? await chooseSlowCall(session, plan) : undefined;
  options.onEvent?.({ type: 'reached', note });
  await Promise.allSettled(Object.values(facts.sessions).map((one) => one.close()));
  const workers = goesOn ? await startWorkers(target, { plan, link, era, call }, options.launchWorker) : undefined;
  const shared = await openShared(link, { era, violations });
  const pid = options.pid ?? shared?.line.pid;
  watch = pid === undefined ? undefined : new ProcessWatch(pid);
  const ground: Ground = { ...base, call, slowCall, shared, workers };
  const left = goesOn ? inOrder(plan).filter((name) => scenarios.every(({ scenario }) => scenario !== name)) : [];
  let figures: BenchReport['process'];
  let generator: BenchReport['generator'];
  let hasGone = false;
  try {
    for (const scenario of left) {
      if (link.signal.aborted) break;
      await perform(scenario, ground);
    }
    hasGone = !link.signal.aborted && left.length > 0 && (await isGone(ground));
    const others = await workers?.stop(calls, violations);
    generator = others === undefined ? meter.stop(calls) : figuresOfAll(meter.stop(calls), others);
  } finally {
    figures = watch?.stop();
    await workers?.end();
    await shared?.line.close();
  }
  noteProcess(metrics, figures);
  const isCancelled = link.signal.aborted;
  // Thresholds are about whole runs.
  const thresholds = isCancelled ? [] : [...judgeThresholds(plan, metrics)];
  const judged = { scenarios, violations: [...violations.all], thresholds };
  return {
    ...judged,
    server: checkedServerOf(facts),
    era,
    transport: link.place.transport,
    call: {
      method: call.method,
      ...(call.tool === undefined ? {} : { tool: call.tool }),
      canary: call.echoes,
      ...(note === undefined ? {} : { note }),
    },
    metrics: finite(isCancelled ? whole : metrics.all),
    ...(figures === undefined ? {} : { process: figures }),
    generator,
    ...(isCancelled ? CANCELLED : hasGone ? GONE : { outcome: outcomeOf(judged) }),
  };
};

/** JSON has no infinity. */
const finite = (metrics: Metrics['all']): BenchReport['metrics'] =>
  Object.fromEntries(
    Object.entries(metrics).map(([name, values]) => [
      name,
      Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value))),
    ]),
  );

/** Puts load on the target and measures it. Never throws for what the server does; thresholds that cannot be read do. */
export const runBench = async (target: CheckTarget, options: BenchOptions): Promise<BenchReport> => {
  const plan = target.load ?? loadPlan.parse({});
  thresholdsOf(plan);
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const ended = new AbortController();
  const signal = anySignal(ended.signal, options.signal);
  // Every caller waits on it.
  setMaxListeners(0, signal);
  const { transport, ...measured }: Measured = {
    ...NOTHING,
    ...(await onTarget(target, options, signal, (reached, link, facts) =>
      load(reached, plan, { link, facts, options }),
    )),
  };
  const report: BenchReport = {
    format: 'plugboard.bench/1',
    version: options.version,
    target: { label: labelOf(target), ...(transport === undefined ? {} : { transport }) },
    startedAt,
    durationMs: Math.round(performance.now() - started),
    plan,
    ...measured,
  };
  return report;
};
