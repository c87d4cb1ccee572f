import { anySignal } from '../connection/any-signal.js';
import type { CheckReport, CheckResult } from '@plugboard/contract';
import type { PlaceOptions } from '../locate/place.js';
import { reportOf } from '../outcome/report-of.js';
import { type Cell, cellsOf } from './cells.js';
import { Connections, maskOf } from './connections.js';
import { runCode, runStep, type StepOutcome, type StepRun } from './run-step.js';
import type { Variables } from './template.js';
import { isCode, type PlannedStep, type WorkflowPlan } from './workflow.js';

export interface WorkflowOptions extends PlaceOptions {
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** Replace those of the workflow. */
  readonly variables?: Variables | undefined;
  /** Called with the outcome of each step. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
}

/** How long the teardown may take, also after a run that was cancelled. */
const TEARDOWN_MS = 30_000;

const PAGE = 'https://github.com/plugboard/plugboard/blob/main/docs/workflows.md';

interface Placed {
  readonly plan: WorkflowPlan;
  readonly cell: Cell;
  readonly step: PlannedStep;
  readonly id: string;
}

const resultOf = ({ plan, cell, step, id }: Placed, members: Partial<CheckResult>): CheckResult => ({
  id,
  title: step.name,
  family: cell.label === '' ? plan.name : `${plan.name} (${cell.label})`,
  level: 'MUST',
  tier: 'standard',
  transport: 'stdio',
  era: cell.era ?? 'both',
  verdict: 'pass',
  source: { sentence: `The workflow "${plan.name}" requires it.`, url: PAGE },
  remedy: 'Compare the result with what the workflow expects.',
  durationMs: 0,
  ...members,
});

/** Names may hold secrets, too: people write them into their steps. */
const masked = (result: CheckResult, mask: (text: string) => string): CheckResult => ({
  ...result,
  id: mask(result.id),
  title: mask(result.title),
  family: mask(result.family),
  source: { ...result.source, sentence: mask(result.source.sentence) },
  ...(result.detail === undefined ? {} : { detail: mask(result.detail) }),
});

const judged = (
  placed: Placed,
  outcome: StepOutcome,
  durationMs: number,
  mask: (text: string) => string,
): CheckResult => {
  const where = {
    durationMs: Math.round(durationMs),
    ...(outcome.era === undefined ? {} : { era: outcome.era }),
    ...(outcome.transport === undefined ? {} : { transport: outcome.transport }),
  };
  if (outcome.problems.length === 0) {
    const tries = outcome.attempts > 1 ? { detail: `after ${outcome.attempts} attempts` } : {};
    return resultOf(placed, { ...where, ...tries });
  }
  const tries = outcome.attempts > 1 ? ` (${outcome.attempts} attempts)` : '';
  return resultOf(placed, {
    ...where,
    verdict: 'fail',
    detail: `${outcome.problems.join(' ')}${tries}`,
    evidence: {
      sent: mask(outcome.sent),
      received: mask(outcome.received),
      expected: 'the step succeeds, and its conditions hold',
      transcript: [],
    },
  });
};

const perform = (step: PlannedStep, run: StepRun): Promise<StepOutcome> =>
  isCode(step) ? runCode(step, run) : runStep(step, run);

/** The steps of one cell until one fails, and then the whole teardown. */
const runCell = async (plan: WorkflowPlan, cell: Cell, options: WorkflowOptions): Promise<readonly CheckResult[]> => {
  const connections = new Connections(cell.servers, cell.era, options);
  const results: CheckResult[] = [];
  let variables: Variables = { ...plan.variables, ...options.variables };
  const note = (given: CheckResult): void => {
    const result = masked(given, connections.mask);
    results.push(result);
    options.onResult?.(result);
  };
  const place = (step: PlannedStep, kind: string, index: number): Placed => ({
    plan,
    cell,
    step,
    id: `${kind}-${String(index + 1).padStart(2, '0')}${cell.label === '' ? '' : `@${cell.label}`}`,
  });
  const runOne = async (placed: Placed, signal: AbortSignal): Promise<boolean> => {
    const began = performance.now();
    const outcome: StepOutcome = await perform(placed.step, { connections, variables, signal }).catch(
      (error: unknown) => ({
        problems: [signal.aborted ? 'The run was cancelled or exceeded its time limit.' : String(error)],
        captured: {},
        sent: '',
        received: '',
        attempts: 1,
      }),
    );
    variables = { ...variables, ...outcome.captured };
    const idle = placed.id.startsWith('TEARDOWN') && outcome.unfilled === true;
    // What no step created need not be removed.
    if (idle) note(resultOf(placed, { verdict: 'not-applicable', detail: outcome.problems.join(' ') }));
    else note(judged(placed, outcome, performance.now() - began, connections.mask));
    return outcome.problems.length === 0;
  };
  const limit = AbortSignal.timeout(plan.timeoutMs);
  const signal = anySignal(limit, options.signal);
  try {
    let stopped = false;
    for (const [index, step] of plan.steps.entries()) {
      const placed = place(step, 'STEP', index);
      if (stopped) {
        note(
          resultOf(placed, {
            verdict: 'not-verified',
            detail: 'An earlier step failed.',
            supply: 'a workflow whose earlier steps succeed',
          }),
        );
      } else {
        stopped = !(await runOne(placed, signal));
      }
    }
    const grace = AbortSignal.timeout(TEARDOWN_MS);
    for (const [index, step] of plan.teardown.entries()) await runOne(place(step, 'TEARDOWN', index), grace);
  } finally {
    await connections.close();
  }
  return results;
};

/** Runs a workflow in every cell of its matrix, one after the other. Never rejects for what servers do. */
export const runWorkflow = async (plan: WorkflowPlan, options: WorkflowOptions): Promise<CheckReport> => {
  const startedAt = new Date();
  const began = performance.now();
  const results: CheckResult[] = [];
  for (const cell of cellsOf(plan)) {
    if (options.signal?.aborted === true) break;
    results.push(...(await runCell(plan, cell, options)));
  }
  const cancelled = options.signal?.aborted === true;
  return reportOf({
    kind: 'workflow',
    label: maskOf([...Object.values(plan.servers), ...Object.values(plan.matrix?.servers ?? {}).flat()])(plan.name),
    version: options.version,
    startedAt,
    durationMs: performance.now() - began,
    failOn: 'must',
    results,
    trouble: cancelled ? { outcome: 'not-examined', reason: 'The run was cancelled.' } : undefined,
  });
};
