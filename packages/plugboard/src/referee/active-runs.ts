import { randomBytes } from 'node:crypto';
import { PlugboardError } from '@plugboard/contract';
import type { Logger } from '../log/logger.js';
import { runIdOf } from './run-store.js';
import { Turns, type TurnsOptions } from './turns.js';

const PREPARE_MS = 30_000;
/** After how long another process may have ended a run. */
const ELSEWHERE_RETRY_MS = 2_000;
const FAILED = 'The hub failed while it carried out the run. Its log has the error.';

/** A run that this process carries out. */
interface Active<Run> {
  readonly id: string;
  readonly view: Run;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  readonly began: () => void;
  /** Ended without a report. */
  readonly failed: (reason: string) => void;
}

interface ActiveRunsOptions<Run, Report> extends TurnsOptions {
  /** Keeps a run where all processes on the store see it. */
  readonly keep: (run: Run, report: Report | undefined) => Promise<void>;
  readonly holder: string;
  /** Whether the process that executes a run is still there. */
  readonly isThere: (holder: string) => boolean;
  /** The view of a run whose process ended before it did. */
  readonly interrupted: (run: Run) => Run;
  readonly log: Logger;
  /** What the log says when a run could not be kept. */
  readonly notKept: string;
}

interface Beginning<Prepared, One> {
  readonly prepare: (signal: AbortSignal) => Promise<Prepared>;
  readonly create: (prepared: Prepared, start: { readonly id: string; readonly created_at: string }) => One;
  readonly carryOut: (run: One, prepared: Prepared) => Promise<void>;
}

/** The runs that this process carries out: a few at a time, each shown to the other processes. */
export class ActiveRuns<Run extends { readonly id: string; readonly state: string }, Report, One extends Active<Run>> {
  readonly #options: ActiveRunsOptions<Run, Report>;
  readonly #turns: Turns;
  readonly #runs = new Map<string, One>();

  constructor(options: ActiveRunsOptions<Run, Report>) {
    this.#options = options;
    this.#turns = new Turns(options);
  }

  get all(): readonly One[] {
    return [...this.#runs.values()];
  }

  get(id: string): One | undefined {
    return this.#runs.get(id);
  }

  /** A stored run as it is now: one that had not ended when its process did never will. */
  viewOf({ run, holder }: { readonly run: Run; readonly holder: string }): Run {
    const active = this.get(run.id);
    if (active !== undefined) return active.view;
    const goesOn = holder !== this.#options.holder && this.#options.isThere(holder);
    return run.state === 'finished' || goesOn ? run : this.#options.interrupted(run);
  }

  forget(id: string): void {
    this.#runs.delete(id);
  }

  /** Throws RATE_LIMITED when too many wait already. */
  async begin<Prepared>({ prepare, create, carryOut }: Beginning<Prepared, One>): Promise<Run> {
    this.#turns.assertRoom();
    const prepared = await prepare(AbortSignal.timeout(PREPARE_MS));
    // Others may have come meanwhile; nothing is awaited from here until the run has its place.
    this.#turns.assertRoom();
    const created_at = new Date().toISOString();
    const id = runIdOf(created_at, this.#options.holder + randomBytes(4).toString('hex'));
    const run = create(prepared, { id, created_at });
    this.#runs.set(run.id, run);
    const shared = this.share(run);
    void carryOut(run, prepared).catch((thrown: unknown) => this.#fail(run, thrown));
    await shared;
    return run.view;
  }

  /** Works when it is the turn of the run. One that is cancelled before its turn has a report too. */
  async inTurn(run: One, work: () => Promise<Report>): Promise<Report> {
    let report: Report | undefined;
    await this.#turns.take(run.controller.signal, async () => {
      run.began();
      await this.share(run);
      report = await work();
    });
    return report ?? (await work());
  }

  /** Nobody may wait for a run that broke, and an error that nobody handles would end the hub. */
  async #fail(run: One, thrown: unknown): Promise<void> {
    this.#options.log.error('A run failed in the hub.', { run: run.id, reason: String(thrown) });
    run.failed(FAILED);
    await this.share(run);
    this.forget(run.id);
  }

  /** Shows a run to the other processes. It goes on when the store does not answer. */
  async share({ id, view }: One, report?: Report): Promise<void> {
    const { keep, log, notKept } = this.#options;
    try {
      await keep(view, report);
    } catch (thrown) {
      log.warn(notKept, { run: id, reason: String(thrown) });
    }
  }

  /** Ends a run, and waits for its end; `read` gives the view of a run of any process. */
  async cancel(id: string, read: (id: string) => Promise<Run>): Promise<Run> {
    const run = this.#runs.get(id);
    run?.controller.abort();
    await run?.ended;
    const view = await read(id);
    if (view.state === 'finished') return view;
    throw new PlugboardError('CONFLICT', 'Another process carries out this run and cannot be reached now.', {
      hint: 'Try again in a moment.',
      retryAfterMs: ELSEWHERE_RETRY_MS,
    });
  }

  /** Ends every run and what it opened. */
  async close(): Promise<void> {
    for (const { controller } of this.all) controller.abort();
    await Promise.all(this.all.map(({ ended }) => ended));
  }
}
