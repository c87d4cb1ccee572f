import { type CallRecord, type CallSink, isLongLived } from './call-record.js';
import { quotedNames } from './quoted-names.js';

export interface CallLog {
  /** For lines that come in crowds: members of a JSON object, written already. */
  written(message: string, members: string): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface LogCallsOptions {
  readonly log: CallLog;
  readonly slowAfterMs: number;
  /** A line for every request, or only for slow ones. */
  readonly everyRequest: boolean;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

export const callFields = ({
  method,
  scope,
  server,
  tool,
  outcome,
  durationMs,
  principal,
  era,
  traceId,
}: CallRecord) => ({
  method,
  endpoint: scope,
  server,
  tool,
  outcome,
  duration_ms: rounded(durationMs),
  caller: principal,
  era,
  trace_id: traceId,
});

/** The same fields as JSON, without the braces. */
const membersOf = (call: CallRecord, quoted: (name: string) => string): string => {
  const { method, scope, server, tool, outcome, durationMs, principal, era, traceId } = call;
  const place = server === undefined ? '' : `,"server":${quoted(server)}`;
  const what = tool === undefined ? '' : `,"tool":${quoted(tool)}`;
  const trace = traceId === undefined ? '' : `,"trace_id":${JSON.stringify(traceId)}`;
  return `"method":${quoted(method)},"endpoint":${quoted(scope)}${place}${what},"outcome":"${outcome}","duration_ms":${rounded(durationMs)},"caller":${quoted(principal)},"era":"${era}"${trace}`;
};

/** One line for a request, and a warning for a slow one. Nothing that a client sent beyond names is in it. */
export const logCalls = ({ log, slowAfterMs, everyRequest }: LogCallsOptions): CallSink => {
  const quoted = quotedNames();
  return (call) => {
    if (call.durationMs > slowAfterMs && !isLongLived(call.method)) log.warn('A request was slow.', callFields(call));
    // One that was followed has a line with more in it.
    else if (everyRequest && call.flow === undefined) log.written('A request was answered.', membersOf(call, quoted));
  };
};
