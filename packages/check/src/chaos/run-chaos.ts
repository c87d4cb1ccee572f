import { anySignal } from '../connection/any-signal.js';
import { randomInt } from 'node:crypto';
import { loadPlan, type CheckReport, type CheckResult } from '@plugboard/contract';
import { seeded } from '@plugboard/testing/fault-proxy';
import { authenticated } from '../auth/authenticated.js';
import { at } from '../connection/json.js';
import { Unreachable } from '../connection/no-answer.js';
import { findFacts } from '../discovery/find-facts.js';
import { checkedServerOf, type ServerFacts } from '../discovery/server-facts.js';
import type { LoadCall } from '../load/call/call-text.js';
import { Canaries } from '../load/call/canary.js';
import { chooseCall } from '../load/choose-call.js';
import { openLink } from '../locate/open-link.js';
import type { PlaceOptions } from '../locate/place.js';
import { readList, toListedTool } from '../probe/lists.js';
import { labelOf } from '../target/label.js';
import { incompleteReason, outcomeOf, summarise } from '../run/summary.js';
import type { Link } from '../session/link.js';
import type { Session } from '../session/session.js';
import { secretMask } from '../target/mask-secrets.js';
import type { CheckTarget } from '../target/target.js';
import { judgeRow } from './judge-row.js';
import { observeRow } from './observe-row.js';
import { reproduction } from './reproduction.js';
import { openRig, type RigOptions } from './rig/open-rig.js';
import type { Rig } from './rig/rig.js';
import type { ChaosSubject } from './rig/subject.js';
import type { FaultRow } from './rows/fault-row.js';
import { FAULT_ROWS } from './rows/rows.js';

export type ChaosEvent =
  | { readonly type: 'reached'; readonly note: string | undefined; readonly planned: number }
  | { readonly type: 'row'; readonly row: FaultRow }
  | { readonly type: 'judged'; readonly result: CheckResult; readonly done: number; readonly planned: number };

export interface ChaosOptions extends PlaceOptions, Pick<RigOptions, 'port' | 'proxyCommand'> {
  readonly version: string;
  readonly subject: ChaosSubject;
  /** The words of a command line that name the subject, for the command that reproduces a failure. */
  readonly subjectFlags?: readonly string[] | undefined;
  /** How long the subject may take to recover. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ChaosEvent) => void;
}

const SOURCE = {
  sentence: 'After a fault the next call succeeds within its budget, and nothing runs twice.',
  url: 'https://github.com/plugboard/plugboard/blob/main/docs/chaos.md',
};

interface Ran {
  readonly results: readonly CheckResult[];
  readonly server?: CheckReport['server'];
  readonly transport?: CheckResult['transport'];
  readonly reason?: string;
  readonly unreachable?: boolean;
}

const wanted = ({ id }: FaultRow, { only, skip }: CheckTarget): boolean => {
  const fits = (pattern: string): boolean =>
    pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id;
  return (only.length === 0 || only.some(fits)) && !skip.some(fits);
};

const mayRunTwice = async (session: Session, { tool }: LoadCall): Promise<boolean> => {
  const tools = (await readList(session, 'tools/list', 'tools')).map(toListedTool);
  const annotations = tools.find(({ name }) => name === tool)?.annotations;
  return at(annotations, 'readOnlyHint') === true || at(annotations, 'idempotentHint') === true;
};

interface Course {
  readonly target: CheckTarget;
  readonly options: ChaosOptions;
  readonly link: Link;
  readonly rigOptions: RigOptions;
  readonly repeats: boolean;
  readonly seed: number;
  /** How long it took to find the target: a program that is killed needs as long to start again. */
  readonly startMs: number;
}

const resultOf = async (course: Course, row: FaultRow, rig: Rig, canaries: Canaries): Promise<CheckResult> => {
  const { target, options, rigOptions, repeats, seed, link } = course;
  const startedAt = performance.now();
  const base = {
    id: row.id,
    title: row.title,
    family: `${row.layer} faults`,
    level: 'MUST',
    tier: 'intrusive',
    transport: rig.transport,
    era: rigOptions.era,
    source: SOURCE,
    remedy: row.remedy,
  } as const satisfies Partial<CheckResult>;
  const { call } = rigOptions;
  const took = (): number => Math.round(performance.now() - startedAt);
  if (row.needsEvents === true && !call.progress) {
    const supply = 'A tool that reports progress: --tool name={"json":"arguments"}.';
    return { ...base, verdict: 'not-verified', detail: 'Its answers are a single event.', supply, durationMs: took() };
  }
  // A row is the same alone and among others.
  const fault = row.fault(seeded(seed + Number(row.id.slice(4))));
  const budgetMs = options.budgetMs + (fault.kind === 'kill' ? course.startMs : 0);
  const seen = await observeRow(fault, { rig, call, canaries, budgetMs, signal: link.signal });
  const judged = judgeRow(row, seen, {
    budgetMs,
    mayRunTwice: repeats,
    isServer: options.subject.kind === 'server',
  });
  const evidence = {
    sent: JSON.stringify(fault),
    received: judged.detail,
    expected: SOURCE.sentence,
    reproduce: reproduction(
      {
        target,
        transport: rig.transport,
        era: rigOptions.era,
        call,
        seed,
        budgetMs: options.budgetMs,
        subjectFlags: options.subjectFlags ?? [],
      },
      row.id,
    ),
    transcript: [],
  };
  return { ...base, ...judged, ...(judged.verdict === 'fail' ? { evidence } : {}), durationMs: took() };
};

/** Every row on one rig; after a failure the next row gets a new one, so that it is judged by itself. */
const runRows = async (course: Course): Promise<readonly CheckResult[]> => {
  const { target, options, link, rigOptions } = course;
  const rows = FAULT_ROWS.filter((row) => row.transports.includes(link.place.transport) && wanted(row, target));
  const canaries = new Canaries();
  const results: CheckResult[] = [];
  let rig: Rig | undefined;
  try {
    for (const row of rows) {
      if (link.signal.aborted) break;
      options.onEvent?.({ type: 'row', row });
      rig ??= await openRig(rigOptions);
      const result = await resultOf(course, row, rig, canaries);
      results.push(result);
      options.onEvent?.({ type: 'judged', result, done: results.length, planned: rows.length });
      if (result.verdict !== 'fail' && result.verdict !== 'not-verified') continue;
      await rig.close();
      rig = undefined;
    }
  } finally {
    await rig?.close();
  }
  return results;
};

const examine = async (given: CheckTarget, seed: number, options: ChaosOptions, signal: AbortSignal): Promise<Ran> => {
  let facts: ServerFacts | undefined;
  let target = given;
  try {
    target = await authenticated(given, { ...options, ms: given.budgets.requestMs, signal });
    const link = await openLink(target, options, signal);
    const { transport } = link.place;
    const startedAt = performance.now();
    facts = await findFacts(link, target.era);
    const startMs = performance.now() - startedAt;
    const [era = 'legacy'] = target.era === undefined ? facts.eras.toReversed() : facts.eras;
    const session = facts.sessions[era];
    if (session === undefined) throw new Error('The server requires a token that it was not given.');
    const { call } = await chooseCall(session, target, target.load ?? loadPlan.parse({}));
    if (call.tool === undefined) throw new Error('No tool may be called. Name one: --tool name={"json":"arguments"}.');
    const repeats = await mayRunTwice(session, call);
    const server = checkedServerOf(facts);
    await Promise.allSettled(Object.values(facts.sessions).map((one) => one.close()));
    const { subject, port, proxyCommand } = options;
    const rigOptions: RigOptions = { link, era, call, subject, port, proxyCommand };
    options.onEvent?.({ type: 'reached', note: undefined, planned: FAULT_ROWS.length });
    const results = await runRows({ target, options, link, rigOptions, repeats, seed, startMs });
    return { results, server, transport, ...(signal.aborted ? { reason: 'The run was cancelled.' } : {}) };
  } catch (error) {
    if (signal.aborted) return { results: [], reason: 'The run was cancelled.' };
    const reason = secretMask(target)(error instanceof Error ? error.message : String(error));
    return { results: [], reason, unreachable: error instanceof Unreachable };
  } finally {
    await Promise.allSettled(Object.values(facts?.sessions ?? {}).map((session) => session.close()));
  }
};

/** Lets one fault after the other strike between the subject and the server, and judges how calls go on. */
export const runChaos = async (target: CheckTarget, options: ChaosOptions): Promise<CheckReport> => {
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const seed = target.seed ?? randomInt(2 ** 31);
  const ended = new AbortController();
  const signal = anySignal(ended.signal, options.signal);
  const ran = await examine(target, seed, options, signal);
  const results = [...ran.results];
  const summary = summarise(results);
  const judged = outcomeOf(results, { gate: target.failOn, stale: [] });
  const outcome = ran.unreachable === true ? 'unreachable' : ran.reason === undefined ? judged : 'not-examined';
  const reason = ran.reason ?? (outcome === 'incomplete' ? incompleteReason(summary) : undefined);
  return {
    format: 'plugboard.check/1',
    version: options.version,
    target: { label: labelOf(target), ...(ran.transport === undefined ? {} : { transport: ran.transport }) },
    ...(ran.server === undefined ? {} : { server: ran.server }),
    startedAt,
    durationMs: Math.round(performance.now() - started),
    seed,
    tier: 'intrusive',
    failOn: target.failOn,
    results,
    summary,
    staleBaseline: [],
    outcome,
    ...(reason === undefined ? {} : { reason }),
  };
};
