import type { CheckReport, CheckRun } from '@plugboard/contract';

/** A run of the referee as all processes see it. */
export interface KeptCheckRun {
  /** The process that carries it out. */
  readonly holder: string;
  readonly run: CheckRun;
  /** Once it has ended. */
  readonly report?: CheckReport | undefined;
}

/** The runs of the referee of all processes on a store; the oldest of many are forgotten. */
export interface CheckRunStore {
  put(kept: KeptCheckRun): Promise<void>;
  get(id: string): Promise<KeptCheckRun | undefined>;
  /** The newest first, without their reports. */
  list(page: { readonly limit: number; readonly after?: string | undefined }): Promise<readonly KeptCheckRun[]>;
  delete(id: string): Promise<void>;
}
