import { labelOf } from '@plugboard/check';
import {
  type CheckReport,
  type CheckReportFormat,
  type CheckRun,
  type CheckRunEvent,
  type CheckTarget,
  type PageQuery,
  PlugboardError,
  type Principal,
} from '@plugboard/contract';
import type { CheckRunListener, CheckRuns, CheckRunStore, WrittenReport } from '@plugboard/registry';
import { VERSION } from '../process/version.js';
import { ActiveRun } from './active-run.js';
import { ActiveRuns } from './active-runs.js';
import type { PreparedTarget } from './registered-target.js';
import { assertEnded, interruptedView, REPORT_CONTENT_TYPES, type RunDeskOptions } from './run-desk.js';
import { RunLog } from './run-log.js';
import { forgetRun, keepRun, keptRun, keptRunIds } from './run-store.js';
import { eventsOfInterrupted, eventsOfReport, viewOfReport } from './run-view.js';

const AT_ONCE = 2;
const WAITING = 20;
/** How many ended runs keep their events in memory, in the order in which they happened. */
const REMEMBERED = 20;
const MAX_CONCURRENCY = 8;

export interface CheckDeskOptions extends RunDeskOptions {
  readonly home: string;
  /** The runs of all processes on the store. */
  readonly runs: CheckRunStore;
  readonly tell: (event: CheckRunEvent) => void;
}

const notFound = (): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'No run has this id.', {
    hint: { api: 'GET /v1/checks lists the runs.', cli: '`plugboard check history` lists the runs.' },
  });

const noReport = (): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'The run has no report: the process that carried it out ended before the run did.', {
    hint: { api: 'Start it again: POST /v1/checks.', cli: 'Run `plugboard check` again.' },
  });

/** Where runs of the referee are asked for: a few are carried out at a time, all are kept. */
export class CheckDesk implements CheckRuns {
  readonly #options: CheckDeskOptions;
  readonly #active: ActiveRuns<CheckRun, CheckReport, ActiveRun>;

  constructor(options: CheckDeskOptions) {
    this.#options = options;
    const { runs, holder, isThere, log } = options;
    this.#active = new ActiveRuns({
      atOnce: AT_ONCE,
      waiting: WAITING,
      listed: '/v1/checks',
      keep: (run, report) => runs.put({ holder, run, report }),
      holder,
      isThere,
      interrupted: interruptedView,
      log,
      notKept: 'Other processes cannot see a run of the referee.',
    });
  }

  start(given: CheckTarget, principal: Principal): Promise<CheckRun> {
    return this.#active.begin({
      prepare: (signal) => this.#options.prepare(given, principal, signal),
      create: ({ target, server_id }, start) =>
        new ActiveRun(
          {
            ...start,
            target: { label: labelOf(target) },
            tier: target.tier,
            ...(server_id === undefined ? {} : { server_id }),
          },
          this.#options.tell,
        ),
      carryOut: (run, prepared) => this.#carryOut(run, prepared),
    });
  }

  async list({ limit = 50, after }: PageQuery): Promise<readonly CheckRun[]> {
    const { home, runs } = this.#options;
    const active = this.#active.all.map(({ id }) => id);
    const shared = new Map((await runs.list({ limit, after })).map((kept) => [kept.run.id, this.#active.viewOf(kept)]));
    const ids = [...new Set([...active, ...shared.keys(), ...(await keptRunIds(home))])].toSorted().toReversed();
    const wanted = ids.filter((id) => after === undefined || id < after).slice(0, limit);
    const views = await Promise.all(
      wanted.map(async (id) => this.#active.get(id)?.view ?? shared.get(id) ?? (await this.#find(id))),
    );
    return views.filter((view) => view !== undefined);
  }

  async get(id: string): Promise<CheckRun> {
    const view = await this.#find(id);
    if (view === undefined) throw notFound();
    return view;
  }

  async report(id: string, format: CheckReportFormat): Promise<WrittenReport> {
    assertEnded(await this.get(id), {
      api: `Watch it: GET /v1/checks/${id}/events.`,
      cli: 'Wait until it has ended: `plugboard check history` lists it then.',
    });
    const report = await this.#reportOf(id);
    if (report === undefined) throw noReport();
    const { REPORTERS } = await import('./checks.js');
    return { contentType: REPORT_CONTENT_TYPES[format], text: REPORTERS[format](report) };
  }

  cancel(id: string): Promise<CheckRun> {
    return this.#active.cancel(id, (named) => this.get(named));
  }

  async delete(id: string): Promise<void> {
    await this.cancel(id);
    this.#active.forget(id);
    await this.#options.runs.delete(id);
    await forgetRun(this.#options.home, id);
  }

  async watch(id: string, after: number, listener: CheckRunListener): Promise<() => void> {
    const run = this.#active.get(id);
    if (run !== undefined) return run.log.watch(after, listener);
    const view = await this.get(id);
    const report = await this.#reportOf(id);
    const log = new RunLog();
    for (const event of report === undefined ? eventsOfInterrupted(view) : eventsOfReport(id, report)) log.put(event);
    log.end();
    return log.watch(after, listener);
  }

  /** Ends every run and what it opened. */
  close(): Promise<void> {
    return this.#active.close();
  }

  async #find(id: string): Promise<CheckRun | undefined> {
    const run = this.#active.get(id);
    if (run !== undefined) return run.view;
    const kept = await this.#options.runs.get(id);
    if (kept !== undefined) return this.#active.viewOf(kept);
    const report = await keptRun(this.#options.home, id);
    return report === undefined ? undefined : viewOfReport(id, report);
  }

  async #reportOf(id: string): Promise<CheckReport | undefined> {
    return (await this.#options.runs.get(id))?.report ?? (await keptRun(this.#options.home, id));
  }

  async #carryOut(run: ActiveRun, prepared: PreparedTarget): Promise<void> {
    const report = await this.#active.inTurn(run, () => this.#judge(run, prepared));
    try {
      await keepRun(this.#options.home, report, run.id);
    } catch (thrown) {
      this.#options.log.warn('A run of the referee could not be stored.', { run: run.id, reason: String(thrown) });
    }
    run.finished(report);
    await this.#active.share(run, report);
    this.#forgetOld();
  }

  async #judge(run: ActiveRun, { target, secrets, baseEnv, server_id }: PreparedTarget): Promise<CheckReport> {
    const { network } = this.#options;
    const concurrency = Math.min(target.budgets.concurrency, MAX_CONCURRENCY);
    const { CHECKS, runChecks } = await import('./checks.js');
    return await runChecks(
      { ...target, budgets: { ...target.budgets, concurrency } },
      {
        checks: CHECKS,
        version: VERSION,
        signal: run.controller.signal,
        baseEnv: baseEnv ?? this.#options.baseEnv,
        network: network(target),
        secrets,
        from: server_id === undefined ? undefined : target.name,
        onEvent: (event) => run.heard(event),
        now: () => new Date(run.view.created_at),
      },
    );
  }

  #forgetOld(): void {
    const ended = this.#active.all.filter(({ view }) => view.state === 'finished');
    for (const { id } of ended.slice(0, Math.max(0, ended.length - REMEMBERED))) this.#active.forget(id);
  }
}
