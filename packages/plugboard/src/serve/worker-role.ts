import type { Siblings } from '@plugboard/registry';

/** What one of several processes on one port is told by the one that started it. */
export interface WorkerRole {
  /** The key of commands on this machine: all workers accept the same. */
  readonly localKey: string;
  /** Does it register what the configuration file declares? */
  readonly isFirst: boolean;
}

/** A worker among the others. */
export interface WorkerPlace extends WorkerRole {
  readonly siblings: Siblings;
}

/** As it is sent. */
export const isWorkerRole = (value: unknown): value is WorkerRole =>
  typeof value === 'object' &&
  value !== null &&
  'localKey' in value &&
  typeof value.localKey === 'string' &&
  'isFirst' in value &&
  typeof value.isFirst === 'boolean';
