import type { AuditRecord } from '@plugboard/contract';
import type { CallRecord, CallSink } from './call-record.js';
import { redactArguments } from './redact-arguments.js';

export interface AuditCallsOptions {
  readonly record: (entry: AuditRecord) => void;
  /** Keep what was sent instead of its kind alone. For hubs whose arguments hold nothing private. */
  readonly keepArguments?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

/** What the request asked for, for methods that name it in clear. */
const targetOf = ({ server, tool, scope }: CallRecord): string => {
  const holder = server ?? scope;
  return tool === undefined ? holder : `${holder}/${tool}`;
};

/** The time as text, written once for all calls of a millisecond: they come in crowds. */
const isoClock = (now: () => number): (() => string) => {
  let [lastMs, text] = [Number.NaN, ''];
  return () => {
    const ms = now();
    if (ms !== lastMs) [lastMs, text] = [ms, new Date(ms).toISOString()];
    return text;
  };
};

/** Writes calls of tools down: who, which, how it ended; the arguments by name and kind. */
export const auditCalls = ({ record, keepArguments = false, now = Date.now }: AuditCallsOptions): CallSink => {
  const clock = isoClock(now);
  return (call) => {
    if (call.method !== 'tools/call') return;
    const args = call.params['arguments'];
    record({
      at: clock(),
      kind: 'call',
      actor: call.principal,
      action: call.method,
      target: targetOf(call).slice(0, 512),
      outcome: call.outcome,
      duration_ms: call.durationMs,
      details: {
        endpoint: call.scope,
        arguments: keepArguments ? (args ?? {}) : redactArguments(args),
        ...(call.traceId === undefined ? {} : { trace_id: call.traceId }),
      },
    });
  };
};
