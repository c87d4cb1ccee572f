import type { FetchRules } from './fetch-host.js';
import { DEFAULT_LIMITS, type IsolateLimits } from '../isolate/isolate-limits.js';

export interface SandboxSettings {
  /** What a run may use at most; a caller may ask for less. */
  readonly limits: IsolateLimits;
  /** Runs at the same time. */
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  readonly totalStateBytes: number;
  readonly totalFileBytes: number;
  readonly maxCodeBytes: number;
  /** Where `fetch` may go; without it there is none. */
  readonly fetch?: FetchRules;
  readonly now: () => number;
}

const MIB = 1024 * 1024;

export const DEFAULT_SETTINGS: SandboxSettings = {
  limits: DEFAULT_LIMITS,
  concurrency: 2,
  maxWaiting: 32,
  maxSessions: 32,
  sessionIdleMs: 15 * 60_000,
  totalStateBytes: 512 * MIB,
  totalFileBytes: 256 * MIB,
  maxCodeBytes: MIB / 2,
  now: Date.now,
};
