import type { CheckEra, GeneratorFigures, LoadViolation } from '@plugboard/contract';
import type { LoadCall } from '../call/call-text.js';
import type { TallyState } from '../generator/tally.js';
import type { Measurement, Moment } from '../scenario/measure.js';

/** What a worker is told before anything else. */
export interface WorkerStart {
  /** The target as data, with its token and its transport. */
  readonly target: unknown;
  readonly era: CheckEra;
  readonly call: LoadCall;
  /** The part of canaries that all workers share, and that of this one. */
  readonly run: string;
  readonly worker: string;
}

/** What a worker is asked to do; it answers with the same number. */
export type WorkerOrder = { readonly number: number } & (
  | { readonly order: 'start'; readonly start: WorkerStart }
  | { readonly order: 'open'; readonly size: number }
  | { readonly order: 'measure'; readonly measurement: Measurement }
  | { readonly order: 'close' }
  /** Ends what it measures or opens; what it has is the result. */
  | { readonly order: 'halt' }
  | { readonly order: 'stop'; readonly calls: number }
);

/** What came of an order. */
export type WorkerResult =
  | { readonly order: 'start' | 'close' | 'halt' }
  | { readonly order: 'open'; readonly size: number; readonly refusals: readonly string[] }
  | { readonly order: 'measure'; readonly tally: TallyState }
  | { readonly order: 'stop'; readonly violations: readonly LoadViolation[]; readonly figures: GeneratorFigures };

export type WorkerReport =
  | { readonly number: number; readonly result: WorkerResult }
  | { readonly number: number; readonly error: string }
  /** While it measures. */
  | { readonly moment: Moment };
