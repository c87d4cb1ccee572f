import { anySignal } from '../connection/any-signal.js';
import type { CheckReport, CheckResult, EvalCase, EvalFile } from '@plugboard/contract';
import { show } from '../connection/json.js';
import { reportOf } from '../outcome/report-of.js';
import { type EvalCall, judgeCalls } from './judge-calls.js';
import { wilsonInterval } from './wilson.js';

export interface EvalQuestion {
  readonly case: EvalCase;
  /** From 0. */
  readonly iteration: number;
  readonly signal: AbortSignal;
}

/** Asks the model once, and gives the calls of its first turn. Rejects when it does not answer. */
export type AskEval = (question: EvalQuestion) => Promise<readonly EvalCall[]>;

export interface EvalOptions {
  readonly version: string;
  /** The model, for the report. */
  readonly label: string;
  readonly ask: AskEval;
  readonly signal?: AbortSignal | undefined;
  readonly onResult?: ((result: CheckResult) => void) | undefined;
}

const PAGE = 'https://github.com/plugboard/plugboard/blob/main/docs/evals.md';

interface Answer {
  readonly calls: readonly EvalCall[];
  readonly problems: readonly string[];
}

type Trial = Answer | { readonly failure: string };

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;

const callWords = ({ tool, arguments: args }: EvalCall): string => `${tool} ${JSON.stringify(args)}`;

const shownCalls = (calls: readonly EvalCall[]): string =>
  calls.length === 0 ? 'no call' : calls.map(callWords).join('\n');

/** Runs tasks, at most so many at a time; the results are in the order of the tasks. */
const inParallel = async <Result>(most: number, tasks: readonly (() => Promise<Result>)[]): Promise<Result[]> => {
  const results: Result[] = [];
  const waiting = tasks.entries();
  const work = async (): Promise<void> => {
    for (const [at, task] of waiting) results[at] = await task();
  };
  await Promise.all(Array.from({ length: Math.min(most, tasks.length) }, work));
  return results;
};

const judged = (file: EvalFile, one: EvalCase, trials: readonly Trial[]): Partial<CheckResult> => {
  const failed = trials.flatMap((trial) => ('failure' in trial ? [trial.failure] : []));
  if (failed.length > 0) {
    return {
      verdict: 'not-verified',
      detail: `${failed.length} of ${trials.length} requests were not answered. ${failed[0] ?? ''}`,
      supply: `a model that answers; it failed: ${failed[0] ?? ''}`,
    };
  }
  const answers = trials as readonly Answer[];
  const right = answers.filter(({ problems }) => problems.length === 0).length;
  const share = right / answers.length;
  const { low, high } = wilsonInterval(right, answers.length, file.confidence);
  const needed = one.passRate ?? file.passRate;
  const measure = file.judgeBy === 'rate' ? share : low;
  const words = `${right} of ${answers.length} correct: ${percent(share)} (${percent(file.confidence)} interval ${percent(low)} to ${percent(high)}), required ${percent(needed)}${file.judgeBy === 'rate' ? '' : ' of the lower bound'}.`;
  if (measure >= needed) return { detail: words };
  const at = answers.findIndex(({ problems }) => problems.length > 0);
  const wrong = answers[at];
  return {
    verdict: 'fail',
    detail: wrong === undefined ? words : `${words} Iteration ${at + 1}: ${wrong.problems.join(' ')}`,
    evidence: {
      sent: one.prompt,
      received: shownCalls(wrong?.calls ?? []),
      expected: one.expect.length === 0 ? 'no call' : one.expect.map((call) => show(call)).join('\n'),
      transcript: [],
    },
  };
};

/** Asks each case as often as it says, and judges the share of correct answers. Never rejects for what the model does. */
export const runEvals = async (file: EvalFile, options: EvalOptions): Promise<CheckReport> => {
  const startedAt = new Date();
  const began = performance.now();
  const { signal: cancelled = new AbortController().signal } = options;
  const trial = async (one: EvalCase, iteration: number): Promise<Trial> => {
    const signal = anySignal(cancelled, AbortSignal.timeout(file.timeoutMs));
    try {
      signal.throwIfAborted();
      const calls = await options.ask({ case: one, iteration, signal });
      return { calls, problems: judgeCalls(one, calls) };
    } catch (error) {
      if (cancelled.aborted) return { failure: 'The run was cancelled.' };
      return { failure: error instanceof Error ? error.message : String(error) };
    }
  };
  const results: CheckResult[] = [];
  for (const [at, one] of file.cases.entries()) {
    const start = performance.now();
    const count = one.iterations ?? file.iterations;
    const trials = await inParallel(
      file.parallel,
      Array.from({ length: count }, (_, iteration) => () => trial(one, iteration)),
    );
    const result: CheckResult = {
      id: `EVAL-${String(at + 1).padStart(2, '0')}`,
      title: one.name,
      family: file.name,
      level: 'MUST',
      tier: 'standard',
      transport: 'stdio',
      era: 'both',
      verdict: 'pass',
      source: { sentence: `The evals "${file.name}" require it.`, url: PAGE },
      remedy: 'Compare the calls with what the case expects; improve names and descriptions of the tools.',
      durationMs: Math.round(performance.now() - start),
      ...judged(file, one, trials),
    };
    results.push(result);
    options.onResult?.(result);
  }
  return reportOf({
    kind: 'eval',
    label: `${file.name} (${options.label})`,
    version: options.version,
    startedAt,
    durationMs: performance.now() - began,
    failOn: 'must',
    results,
    trouble: cancelled.aborted ? { outcome: 'not-examined', reason: 'The run was cancelled.' } : undefined,
  });
};
