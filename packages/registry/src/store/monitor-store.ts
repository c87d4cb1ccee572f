import type { MonitorSample, ServerId } from '@plugboard/contract';

export interface SampleRead {
  /** All servers when left out. */
  readonly serverId?: ServerId | undefined;
  readonly since: string;
  /** The newest ones. */
  readonly limit: number;
}

/** The history of probes. */
export interface MonitorStore {
  append(samples: readonly MonitorSample[]): Promise<void>;
  /** Oldest first. */
  read(read: SampleRead): Promise<readonly MonitorSample[]>;
  /** Forgets what happened before that time; the number of samples. */
  forgetBefore(at: string): Promise<number>;
}
