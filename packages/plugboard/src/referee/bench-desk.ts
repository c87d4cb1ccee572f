import { anySignal } from '@plugboard/base';
import { labelOf, secretMask, type Mask } from '@plugboard/check';
import {
  type BenchReport,
  type BenchReportFormat,
  type BenchRun,
  type BenchStart,
  checkTarget,
  type CheckTarget,
  loadPlan,
  type PageQuery,
  PlugboardError,
  type Principal,
} from '@plugboard/contract';
import type { BenchRuns, BenchRunStore, WrittenReport } from '@plugboard/registry';
import { VERSION } from '../process/version.js';
import { ActiveBench } from './active-bench.js';
import { ActiveRuns } from './active-runs.js';
import type { PreparedTarget } from './registered-target.js';
import { assertEnded, interruptedView, REPORT_CONTENT_TYPES, type RunDeskOptions } from './run-desk.js';

/** Two at once would measure each other. */
const AT_ONCE = 1;
const WAITING = 10;
const WARM_UP_SECONDS = 1;
/** How long a run may take besides its load: to reach the server, and to wait for the last answers. */
const SPARE_MS = 60_000;

export interface BenchDeskOptions extends RunDeskOptions {
  /** The benchmarks of all processes on the store. */
  readonly runs: BenchRunStore;
}

const notFound = (): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'No benchmark has this id.', {
    hint: { api: 'GET /v1/benchmarks lists them.', cli: 'The console lists them.' },
  });

const targetOf = ({ name, tool, arguments: args, seconds, rate, concurrency }: BenchStart): CheckTarget =>
  checkTarget.parse({
    name,
    load: loadPlan.parse({
      scenarios: ['steady'],
      seconds,
      rate,
      concurrency,
      warmUpSeconds: WARM_UP_SECONDS,
      ...(tool === undefined ? {} : { call: { tool, ...(args === undefined ? {} : { arguments: args }) } }),
    }),
  });

/** A server may give back what it was sent. */
const masked = (report: BenchReport, mask: Mask): BenchReport => {
  const { reason, server, violations, scenarios } = report;
  return {
    ...report,
    violations: violations.map((one) => ({ ...one, example: mask(one.example) })),
    scenarios: scenarios.map((one) => ({ ...one, summary: mask(one.summary) })),
    ...(reason === undefined ? {} : { reason: mask(reason) }),
    ...(server === undefined
      ? {}
      : { server: { ...server, name: mask(server.name ?? ''), version: mask(server.version ?? '') } }),
  };
};

/** Where benchmarks are asked for: one is carried out at a time, all are kept in the store. */
export class BenchDesk implements BenchRuns {
  readonly #options: BenchDeskOptions;
  readonly #active: ActiveRuns<BenchRun, BenchReport, ActiveBench>;

  constructor(options: BenchDeskOptions) {
    this.#options = options;
    const { runs, holder, isThere, log } = options;
    this.#active = new ActiveRuns({
      atOnce: AT_ONCE,
      waiting: WAITING,
      listed: '/v1/benchmarks',
      keep: (run, report) => runs.put({ holder, run, report }),
      holder,
      isThere,
      interrupted: interruptedView,
      log,
      notKept: 'A benchmark could not be stored.',
    });
  }

  start(given: BenchStart, principal: Principal): Promise<BenchRun> {
    const { tool, seconds, rate, concurrency } = given;
    return this.#active.begin({
      prepare: (signal) => this.#options.prepare(targetOf(given), principal, signal),
      create: ({ target, server_id }, start) =>
        new ActiveBench({
          ...start,
          target: { label: labelOf(target) },
          seconds,
          rate,
          concurrency,
          ...(tool === undefined ? {} : { tool }),
          ...(server_id === undefined ? {} : { server_id }),
        }),
      carryOut: (run, prepared) => this.#carryOut(run, prepared),
    });
  }

  async list({ limit = 50, after }: PageQuery): Promise<readonly BenchRun[]> {
    const kept = await this.#options.runs.list({ limit, after });
    return kept.map((one) => this.#active.viewOf(one));
  }

  async get(id: string): Promise<BenchRun> {
    const kept = await this.#options.runs.get(id);
    const view = this.#active.get(id)?.view ?? (kept && this.#active.viewOf(kept));
    if (view === undefined) throw notFound();
    return view;
  }

  async report(id: string, format: BenchReportFormat): Promise<WrittenReport> {
    assertEnded(await this.get(id), {
      api: `Read its state again: GET /v1/benchmarks/${id}.`,
      cli: 'Wait until it has ended.',
    });
    const report = (await this.#options.runs.get(id))?.report;
    if (report === undefined) {
      throw new PlugboardError('NOT_FOUND', 'The run has no report: its process ended before it did.', {
        hint: { api: 'Start it again: POST /v1/benchmarks.', cli: 'Run `plugboard bench` instead.' },
      });
    }
    const { BENCH_REPORTERS } = await import('./benchmarks.js');
    return { contentType: REPORT_CONTENT_TYPES[format], text: BENCH_REPORTERS[format](report) };
  }

  cancel(id: string): Promise<BenchRun> {
    return this.#active.cancel(id, (named) => this.get(named));
  }

  async delete(id: string): Promise<void> {
    await this.cancel(id);
    await this.#options.runs.delete(id);
  }

  /** Ends every run and what it opened. */
  close(): Promise<void> {
    return this.#active.close();
  }

  async #carryOut(run: ActiveBench, prepared: PreparedTarget): Promise<void> {
    const report = await this.#active.inTurn(run, () => this.#measure(run, prepared));
    run.finished(report);
    await this.#active.share(run, report);
    this.#active.forget(run.id);
    run.settled();
  }

  async #measure(run: ActiveBench, { target, secrets, baseEnv }: PreparedTarget): Promise<BenchReport> {
    const longestMs = (target.load?.seconds ?? 0) * 1_000 + SPARE_MS;
    const { runBench } = await import('./benchmarks.js');
    const report = await runBench(target, {
      version: VERSION,
      signal: anySignal(run.controller.signal, AbortSignal.timeout(longestMs)),
      baseEnv: baseEnv ?? this.#options.baseEnv,
      network: this.#options.network(target),
      onEvent: (event) => run.heard(event),
    });
    return masked(report, secretMask(target, secrets));
  }
}
