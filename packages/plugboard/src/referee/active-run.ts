import type { CheckReport, CheckRun, CheckRunEvent } from '@plugboard/contract';
import type { RunEvent } from '@plugboard/check';
import { RunLog } from './run-log.js';
import { judgedEvent, viewOfReport } from './run-view.js';

type RunStart = Pick<CheckRun, 'id' | 'target' | 'tier' | 'created_at' | 'server_id'>;

/** A run that this hub carries out, from the moment that it was asked for. */
export class ActiveRun {
  readonly log = new RunLog();
  readonly controller = new AbortController();
  readonly ended: Promise<void>;
  readonly #tell: (event: CheckRunEvent) => void;
  #view: CheckRun;
  #resolveEnded: () => void = () => undefined;

  constructor(start: RunStart, tell: (event: CheckRunEvent) => void) {
    this.#tell = tell;
    this.#view = { ...start, state: 'queued', done: 0 };
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#say({ event: 'check_run_queued', ...this.#now(), label: start.target.label });
  }

  get view(): CheckRun {
    return this.#view;
  }

  get id(): string {
    return this.#view.id;
  }

  began(): void {
    this.#view = { ...this.#view, state: 'running' };
    this.#say({ event: 'check_run_started', ...this.#now() });
  }

  /** What the referee says while it works. */
  heard(event: RunEvent): void {
    if (event.type === 'reached') {
      this.#view = { ...this.#view, planned: event.planned };
      this.#say({ event: 'check_run_reached', ...this.#now(), server: event.server, planned: event.planned });
    }
    if (event.type === 'judged') {
      const { done, planned, result } = event;
      this.#view = { ...this.#view, done, planned };
      this.#say(judgedEvent(result, { ...this.#now(), done, planned }));
    }
  }

  finished(report: CheckReport): void {
    const { created_at, server_id, planned } = this.#view;
    this.#view = {
      ...viewOfReport(this.id, report),
      created_at,
      finished_at: new Date().toISOString(),
      ...(server_id === undefined ? {} : { server_id }),
      ...(planned === undefined ? {} : { planned }),
    };
    this.#end();
  }

  failed(reason: string): void {
    this.#view = {
      ...this.#view,
      state: 'finished',
      finished_at: new Date().toISOString(),
      outcome: 'incomplete',
      reason,
    };
    this.#end();
  }

  #end(): void {
    this.#say({ event: 'check_run_finished', ...this.#now(), run: this.#view });
    this.log.end();
    this.#resolveEnded();
  }

  #now() {
    return { at: new Date().toISOString(), run_id: this.#view.id };
  }

  #say(event: CheckRunEvent): void {
    this.log.put(event);
    this.#tell(event);
  }
}
