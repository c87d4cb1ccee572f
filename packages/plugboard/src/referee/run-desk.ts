import type { Network } from '@plugboard/check';
import {
  type CheckReportFormat,
  type CheckTarget,
  type Hint,
  PlugboardError,
  type Principal,
} from '@plugboard/contract';
import type { Logger } from '../log/logger.js';
import type { PreparedTarget } from './registered-target.js';

/** What a place needs where runs are started, whether they are checks or benchmarks. */
export interface RunDeskOptions {
  /** This process: eight hexadecimal digits, which the ids of its runs have as well. */
  readonly holder: string;
  /** Whether the process that executes a run is still there. */
  readonly isThere: (holder: string) => boolean;
  readonly log: Logger;
  /** What a run may reach. */
  readonly network: (target: CheckTarget) => Network;
  readonly baseEnv: Readonly<Record<string, string>>;
  /** Finds registered servers and their credentials, and rejects targets that are not allowed. */
  readonly prepare: (target: CheckTarget, principal: Principal, signal: AbortSignal) => Promise<PreparedTarget>;
}

export const REPORT_CONTENT_TYPES: Readonly<Record<CheckReportFormat, string>> = {
  json: 'application/json',
  markdown: 'text/markdown; charset=utf-8',
  summary: 'text/markdown; charset=utf-8',
  junit: 'application/xml; charset=utf-8',
  sarif: 'application/sarif+json',
  html: 'text/html; charset=utf-8',
  badge: 'image/svg+xml',
};

/** A run whose process ended before it did. */
export const interruptedView = <Run extends object>(run: Run) => ({
  ...run,
  state: 'finished' as const,
  outcome: 'incomplete' as const,
  reason: 'The run was interrupted: the process that carried it out ended.',
});

export const assertEnded = ({ state }: { readonly state: string }, hint: Hint): void => {
  if (state !== 'finished') throw new PlugboardError('CONFLICT', 'The run has not ended.', { hint });
};
