import type { CheckEra, LoadPhase, LoadPlan, ScenarioResult } from '@plugboard/contract';
import type { SchemaOracle } from '../../oracle/schema-oracle.js';
import type { Link } from '../../session/link.js';
import type { LoadCall } from '../call/call-text.js';
import type { Canaries } from '../call/canary.js';
import type { Conversation } from '../call/conversation.js';
import type { Violations } from '../call/violations.js';
import type { Metrics } from '../threshold/metrics.js';

/** How a phase goes, for those who watch. */
export interface LoadProgress {
  readonly scenario: string;
  readonly phase: string;
  readonly elapsedMs: number;
  readonly totalMs: number;
  readonly callers: number;
  readonly calls: number;
  readonly failed: number;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly violations: number;
}

/** What all scenarios of a run share. */
export interface Ground {
  readonly link: Link;
  readonly era: CheckEra;
  readonly plan: LoadPlan;
  readonly call: LoadCall;
  readonly slowCall: LoadCall | undefined;
  readonly canaries: Canaries;
  readonly violations: Violations;
  readonly metrics: Metrics;
  readonly oracle: (revision: string) => SchemaOracle | undefined;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** The program that all callers share; undefined over HTTP. */
  readonly shared: Conversation | undefined;
  /** The steady part begins, or ends. */
  readonly onSteady: (begins: boolean) => void;
  readonly onProgress: (progress: LoadProgress) => void;
  readonly onPhase: (phase: LoadPhase) => void;
}

export type Scenario = (ground: Ground) => Promise<Omit<ScenarioResult, 'scenario'>>;

export const skipped = (why: string): Omit<ScenarioResult, 'scenario'> => ({ skipped: why, summary: why, phases: [] });
