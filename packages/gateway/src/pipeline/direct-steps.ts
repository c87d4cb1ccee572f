import type { FlowWatch } from '../call/flow-watch.js';
import type { CallLimits } from './limit/call-limits.js';
import type { CallSink } from './observe/call-record.js';
import { tellSinks } from './observe/watch-calls.js';
import type { StepOptions } from './step-options.js';

type Shared = Pick<StepOptions, 'tracer' | 'note' | 'maxArgumentBytes' | 'maxResultBytes' | 'onPath' | 'keepsResults'>;

/** What the fast path does around a call, in place of the steps of the pipeline. */
export interface DirectSteps extends Shared {
  /** Tells every sink of a finished request. */
  readonly tell: CallSink;
  /** The same object as the pipeline has: both paths count together. */
  readonly limits: CallLimits;
  /** Follows requests and messages on demand. */
  readonly flows?: FlowWatch | undefined;
}

export interface DirectStepParts {
  readonly limits: CallLimits;
  readonly flows?: FlowWatch | undefined;
  readonly onInternalError: (error: unknown) => void;
}

export const directSteps = (
  { tracer, note, maxArgumentBytes, maxResultBytes, onPath, keepsResults, sinks }: StepOptions,
  { limits, flows, onInternalError }: DirectStepParts,
): DirectSteps => ({
  tracer,
  note,
  maxArgumentBytes,
  maxResultBytes,
  onPath,
  keepsResults,
  tell: tellSinks({ sinks, onInternalError }),
  limits,
  flows,
});
