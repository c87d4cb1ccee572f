import type { BenchReportFormat, BenchRun, BenchStart, PageQuery, Principal } from '@plugboard/contract';
import type { WrittenReport } from './check-runs.js';

/** The benchmarks that the hub carries out and keeps. Every failure is a PlugboardError. */
export interface BenchRuns {
  /** Rejects with RATE_LIMITED when too many wait already. */
  start(given: BenchStart, principal: Principal): Promise<BenchRun>;
  /** The newest first. */
  list(page: PageQuery): Promise<readonly BenchRun[]>;
  /** Rejects with NOT_FOUND. */
  get(id: string): Promise<BenchRun>;
  /** Rejects with CONFLICT while the run is in progress. */
  report(id: string, format: BenchReportFormat): Promise<WrittenReport>;
  /** Ends the load and everything that it opened. */
  cancel(id: string): Promise<BenchRun>;
  /** Ends the run when it is in progress, and forgets it. */
  delete(id: string): Promise<void>;
}
