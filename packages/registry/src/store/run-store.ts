import type { BenchReport, BenchRun, CheckReport, CheckRun } from '@plugboard/contract';

/** A run as all processes see it. */
export interface KeptRun<Run, Report> {
  /** The process that carries it out. */
  readonly holder: string;
  readonly run: Run;
  /** Once it has ended. */
  readonly report?: Report | undefined;
}

/** The runs of all processes on a store; the oldest of many are forgotten. */
export interface RunStore<Run, Report> {
  put(kept: KeptRun<Run, Report>): Promise<void>;
  get(id: string): Promise<KeptRun<Run, Report> | undefined>;
  /** The newest first, without their reports. */
  list(page: { readonly limit: number; readonly after?: string | undefined }): Promise<readonly KeptRun<Run, Report>[]>;
  delete(id: string): Promise<void>;
}

export type KeptCheckRun = KeptRun<CheckRun, CheckReport>;
export type CheckRunStore = RunStore<CheckRun, CheckReport>;
export type KeptBenchRun = KeptRun<BenchRun, BenchReport>;
export type BenchRunStore = RunStore<BenchRun, BenchReport>;
