import type {
  CheckReportFormat,
  CheckRun,
  CheckRunEvent,
  CheckTarget,
  PageQuery,
  Principal,
} from '@plugboard/contract';

/** A report in one of its forms. */
export interface WrittenReport {
  readonly contentType: string;
  readonly text: string;
}

export interface CheckRunListener {
  /** `id` counts the events of a run from 1. */
  event(id: number, event: CheckRunEvent): void;
  /** No more events will come. */
  end(): void;
}

/** The runs of the referee that the hub carries out and keeps. Every failure is a PlugboardError. */
export interface CheckRuns {
  /** Rejects with RATE_LIMITED when too many wait already. */
  start(target: CheckTarget, principal: Principal): Promise<CheckRun>;
  /** The newest first. */
  list(page: PageQuery): Promise<readonly CheckRun[]>;
  /** Rejects with NOT_FOUND. */
  get(id: string): Promise<CheckRun>;
  /** Rejects with CONFLICT while the run is in progress. */
  report(id: string, format: CheckReportFormat): Promise<WrittenReport>;
  /** Ends the run and everything that it opened; what was judged until then is kept. */
  cancel(id: string): Promise<CheckRun>;
  /** Ends the run when it is in progress, and forgets it. */
  delete(id: string): Promise<void>;
  /** First the events after the one with this number, then those to come. Returns the way to stop listening. */
  watch(id: string, after: number, listener: CheckRunListener): Promise<() => void>;
}
