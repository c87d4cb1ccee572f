import { phasesOf } from '../../call/call-times.js';
import { followed, type FlowWatch } from '../../call/flow-watch.js';
import type { CallStep } from '../../call/step.js';
import { type CallOutcome, type CallSink, outcomeOfFailure, outcomeOfResult, recordOf } from './call-record.js';
import { traceIdOf } from './trace-context.js';

export interface WatchOptions {
  readonly sinks: readonly CallSink[];
  readonly onInternalError: (error: unknown) => void;
  /** Follows requests that did not come through an MCP endpoint. */
  readonly flows?: FlowWatch | undefined;
  /** Do sinks get the results of tools? */
  readonly keepsResults?: boolean | undefined;
  /** Milliseconds that never go back. */
  readonly now?: (() => number) | undefined;
}

/** Tells everybody who wants to know of a request. What a sink throws harms no request. */
export const tellSinks =
  ({ sinks, onInternalError }: Pick<WatchOptions, 'sinks' | 'onInternalError'>): CallSink =>
  (record) => {
    for (const sink of sinks) {
      try {
        sink(record);
      } catch (thrown) {
        onInternalError(thrown);
      }
    }
  };

/** Measures every request once and tells everybody who wants to know. */
export const watchCalls = ({
  sinks,
  onInternalError,
  flows,
  keepsResults = false,
  now = () => performance.now(),
}: WatchOptions): CallStep => {
  const tell = tellSinks({ sinks, onInternalError });
  return async (given, next) => {
    const call = followed(flows, given);
    const startedAt = call.sent?.underWay.startedAt ?? now();
    const watched = { ...call, notes: call.notes ?? {} };
    const finish = (outcome: CallOutcome, result?: unknown): void => {
      const endedAt = now();
      const phases = phasesOf(watched.notes.times, startedAt, endedAt);
      const traceId = traceIdOf(call.params);
      tell(recordOf(watched, { outcome, durationMs: endedAt - startedAt, traceId, phases, result }));
    };
    try {
      const result = await next(watched);
      finish(outcomeOfResult(result), keepsResults && call.method === 'tools/call' ? result : undefined);
      return result;
    } catch (thrown) {
      finish(outcomeOfFailure(thrown, call));
      throw thrown;
    }
  };
};

/** Lets those outside know where the request was routed to. */
export const noteRoute: CallStep = (call, next) => {
  if (call.notes !== undefined) call.notes.route = call.route;
  return next(call);
};
