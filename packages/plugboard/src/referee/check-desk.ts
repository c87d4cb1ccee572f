import { randomBytes } from 'node:crypto';
import { CHECKS, labelOf, REPORTERS, runChecks, type Network } from '@plugboard/check';
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
import type { CheckRunListener, CheckRuns, CheckRunStore, KeptCheckRun, WrittenReport } from '@plugboard/registry';
import type { Logger } from '../log/logger.js';
import { VERSION } from '../process/version.js';
import { ActiveRun } from './active-run.js';
import type { PreparedTarget } from './registered-target.js';
import { RunLog } from './run-log.js';
import { forgetRun, keepRun, keptRun, keptRunIds, runIdOf } from './run-store.js';
import { eventsOfInterrupted, eventsOfReport, interruptedView, viewOfReport } from './run-view.js';
import { Turns } from './turns.js';

const AT_ONCE = 2;
const WAITING = 20;
/** How many ended runs keep their events in memory, in the order in which they happened. */
const REMEMBERED = 20;
const MAX_CONCURRENCY = 8;
const PREPARE_MS = 30_000;
const ELSEWHERE_RETRY_MS = 2000;

const CONTENT_TYPES: Readonly<Record<CheckReportFormat, string>> = {
  json: 'application/json',
  markdown: 'text/markdown; charset=utf-8',
  summary: 'text/markdown; charset=utf-8',
  junit: 'application/xml; charset=utf-8',
  sarif: 'application/sarif+json',
  html: 'text/html; charset=utf-8',
  badge: 'image/svg+xml',
};

export interface CheckDeskOptions {
  readonly home: string;
  /** The runs of all processes on the store. */
  readonly runs: CheckRunStore;
  /** This process: eight hexadecimal digits, which the ids of its runs have as well. */
  readonly holder: string;
  /** Is the process there that carries out a run? */
  readonly isThere: (holder: string) => boolean;
  readonly log: Logger;
  /** What the checks of a run may reach. */
  readonly network: (target: CheckTarget) => Network;
  readonly baseEnv: Readonly<Record<string, string>>;
  /** Finds registered servers and their credentials, and refuses what may not be examined. */
  readonly prepare: (target: CheckTarget, principal: Principal, signal: AbortSignal) => Promise<PreparedTarget>;
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
  readonly #turns = new Turns({ atOnce: AT_ONCE, waiting: WAITING, listed: '/v1/checks' });
  readonly #runs = new Map<string, ActiveRun>();

  constructor(options: CheckDeskOptions) {
    this.#options = options;
  }

  async start(given: CheckTarget, principal: Principal): Promise<CheckRun> {
    this.#turns.assertRoom();
    const prepared = await this.#options.prepare(given, principal, AbortSignal.timeout(PREPARE_MS));
    // Others may have come meanwhile; nothing is awaited from here until the run has its place.
    this.#turns.assertRoom();
    const { target, server_id } = prepared;
    const created_at = new Date().toISOString();
    const run = new ActiveRun(
      {
        id: runIdOf(created_at, this.#options.holder + randomBytes(4).toString('hex')),
        target: { label: labelOf(target) },
        tier: target.tier,
        created_at,
        ...(server_id === undefined ? {} : { server_id }),
      },
      this.#options.tell,
    );
    this.#runs.set(run.id, run);
    const shared = this.#share(run);
    void this.#carryOut(run, prepared);
    await shared;
    return run.view;
  }

  async list({ limit = 50, after }: PageQuery): Promise<readonly CheckRun[]> {
    const { home, runs } = this.#options;
    const active = [...this.#runs.values()].map(({ id }) => id);
    const shared = new Map((await runs.list({ limit, after })).map((kept) => [kept.run.id, this.#viewOf(kept)]));
    const ids = [...new Set([...active, ...shared.keys(), ...(await keptRunIds(home))])].toSorted().toReversed();
    const wanted = ids.filter((id) => after === undefined || id < after).slice(0, limit);
    const views = await Promise.all(
      wanted.map(async (id) => this.#runs.get(id)?.view ?? shared.get(id) ?? (await this.#find(id))),
    );
    return views.filter((view) => view !== undefined);
  }

  async get(id: string): Promise<CheckRun> {
    const view = await this.#find(id);
    if (view === undefined) throw notFound();
    return view;
  }

  async report(id: string, format: CheckReportFormat): Promise<WrittenReport> {
    const run = await this.get(id);
    if (run.state !== 'finished') {
      throw new PlugboardError('CONFLICT', 'The run has not ended.', {
        hint: {
          api: `Watch it: GET /v1/checks/${id}/events.`,
          cli: 'Wait until it has ended: `plugboard check history` lists it then.',
        },
      });
    }
    const report = await this.#reportOf(id);
    if (report === undefined) throw noReport();
    return { contentType: CONTENT_TYPES[format], text: REPORTERS[format](report) };
  }

  async cancel(id: string): Promise<CheckRun> {
    const run = this.#runs.get(id);
    run?.controller.abort();
    await run?.ended;
    const view = await this.get(id);
    if (view.state === 'finished') return view;
    throw new PlugboardError('CONFLICT', 'Another process carries out this run and cannot be reached now.', {
      hint: 'Try again in a moment.',
      retryAfterMs: ELSEWHERE_RETRY_MS,
    });
  }

  async delete(id: string): Promise<void> {
    await this.cancel(id);
    this.#runs.delete(id);
    await this.#options.runs.delete(id);
    await forgetRun(this.#options.home, id);
  }

  async watch(id: string, after: number, listener: CheckRunListener): Promise<() => void> {
    const run = this.#runs.get(id);
    if (run !== undefined) return run.log.watch(after, listener);
    const view = await this.get(id);
    const report = await this.#reportOf(id);
    const log = new RunLog();
    for (const event of report === undefined ? eventsOfInterrupted(view) : eventsOfReport(id, report)) log.put(event);
    log.end();
    return log.watch(after, listener);
  }

  /** Ends every run and what it opened. */
  async close(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const { controller } of runs) controller.abort();
    await Promise.all(runs.map(({ ended }) => ended));
  }

  async #find(id: string): Promise<CheckRun | undefined> {
    const run = this.#runs.get(id);
    if (run !== undefined) return run.view;
    const kept = await this.#options.runs.get(id);
    if (kept !== undefined) return this.#viewOf(kept);
    const report = await keptRun(this.#options.home, id);
    return report === undefined ? undefined : viewOfReport(id, report);
  }

  /** As it is now: a run that had not ended when its process did never will. */
  #viewOf({ run, holder }: KeptCheckRun): CheckRun {
    const { holder: self, isThere } = this.#options;
    const goesOn = holder === self ? this.#runs.has(run.id) : isThere(holder);
    return run.state === 'finished' || goesOn ? run : interruptedView(run);
  }

  async #reportOf(id: string): Promise<CheckReport | undefined> {
    return (await this.#options.runs.get(id))?.report ?? (await keptRun(this.#options.home, id));
  }

  /** Shows a run to the other processes. It goes on when the store does not answer. */
  async #share({ id, view }: ActiveRun, report?: CheckReport): Promise<void> {
    const { runs, holder, log } = this.#options;
    try {
      await runs.put({ holder, run: view, report });
    } catch (thrown) {
      log.warn('Other processes cannot see a run of the referee.', { run: id, reason: String(thrown) });
    }
  }

  async #carryOut(run: ActiveRun, prepared: PreparedTarget): Promise<void> {
    const { signal } = run.controller;
    let report: CheckReport | undefined;
    await this.#turns.take(signal, async () => {
      run.began();
      await this.#share(run);
      report = await this.#judge(run, prepared);
    });
    // One that was taken back before its turn has a report too: it says so.
    const ended = report ?? (await this.#judge(run, prepared));
    try {
      await keepRun(this.#options.home, ended, run.id);
    } catch (thrown) {
      this.#options.log.warn('A run of the referee could not be kept.', { run: run.id, reason: String(thrown) });
    }
    run.finished(ended);
    await this.#share(run, ended);
    this.#forgetOld();
  }

  async #judge(run: ActiveRun, { target, secrets, baseEnv, server_id }: PreparedTarget): Promise<CheckReport> {
    const { network } = this.#options;
    const concurrency = Math.min(target.budgets.concurrency, MAX_CONCURRENCY);
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
    const ended = [...this.#runs.values()].filter(({ view }) => view.state === 'finished');
    for (const { id } of ended.slice(0, Math.max(0, ended.length - REMEMBERED))) this.#runs.delete(id);
  }
}
