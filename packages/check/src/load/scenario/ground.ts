import type { CheckEra, LoadPhase, LoadPlan, ScenarioResult } from '@plugboard/contract';
import type { SchemaOracle } from '../../oracle/schema-oracle.js';
import type { Link } from '../../session/link.js';
import type { LoadCall } from '../call/call-text.js';
import type { Canaries } from '../call/canary.js';
import type { Conversation } from '../call/conversation.js';
import type { Violations } from '../call/violations.js';
import type { Metrics } from '../threshold/metrics.js';
import type { Measurement } from './measure.js';

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
  /** Those that share the load; absent when this process is the only one. */
  readonly workers?: Workers | undefined;
}

/** Callers that load is measured with, wherever they are. */
export interface LoadCrew {
  readonly size: number;
  readonly attempted: number;
  measure(measurement: Measurement): Promise<LoadPhase>;
}

/** Other processes that call, too. */
export interface Workers {
  readonly count: number;
  openCrew(ground: Ground, size: number): Promise<LoadCrew & { close(): Promise<void> }>;
}

export type Scenario = (ground: Ground) => Promise<Omit<ScenarioResult, 'scenario'>>;

export const skipped = (why: string): Omit<ScenarioResult, 'scenario'> => ({ skipped: why, summary: why, phases: [] });
