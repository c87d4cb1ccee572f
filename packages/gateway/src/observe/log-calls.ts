import { type CallSink, isLongLived } from './call-record.js';

export interface CallLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface LogCallsOptions {
  readonly log: CallLog;
  readonly slowAfterMs: number;
  /** A line for every request, or only for slow ones. */
  readonly everyRequest: boolean;
}

/** One line for a request, and a warning for a slow one. Nothing that a client sent beyond names is in it. */
export const logCalls =
  ({ log, slowAfterMs, everyRequest }: LogCallsOptions): CallSink =>
  ({ method, scope, server, tool, outcome, durationMs, principal, era, traceId }) => {
    const slow = durationMs > slowAfterMs && !isLongLived(method);
    if (!slow && !everyRequest) return;
    const fields = {
      method,
      endpoint: scope,
      server,
      tool,
      outcome,
      duration_ms: Math.round(durationMs * 100) / 100,
      caller: principal,
      era,
      trace_id: traceId,
    };
    if (slow) log.warn('A request was slow.', fields);
    else log.info('A request was answered.', fields);
  };
