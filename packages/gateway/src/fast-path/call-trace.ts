import type { Span, Tracer } from '@opentelemetry/api';
import { startSpan } from '../pipeline/observe/trace-calls.js';
import {
  contextIn,
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from '../pipeline/observe/trace-context.js';
import type { HeaderFields } from '../session/era-of.js';
import type { WrittenCall } from './written-call.js';

/** The trace that a call belongs to. */
export interface CallTrace {
  /** What the server is told; undefined when there is no trace. */
  readonly context: TraceContext | undefined;
  /** Must the metadata be changed to say it? */
  readonly rewrites: boolean;
  readonly span: Span | undefined;
  readonly traceId: string | undefined;
}

const NONE: CallTrace = { context: undefined, rewrites: false, span: undefined, traceId: undefined };

const inMeta = (call: WrittenCall): TraceContext | undefined => {
  const { traceparent, tracestate, baggage } = call.spans;
  if (traceparent === undefined) return undefined;
  return contextIn({
    traceparent: call.text(traceparent),
    tracestate: call.text(tracestate),
    baggage: call.text(baggage),
  });
};

/** Continues the client's trace, as the full path does: the metadata takes precedence over the HTTP fields. */
export const traceOf = (call: WrittenCall, headers: HeaderFields, tracer: Tracer | undefined): CallTrace => {
  const own = inMeta(call);
  const given = own ?? (headers['traceparent'] === undefined ? undefined : contextIn(headers));
  if (tracer === undefined) {
    if (given === undefined) return NONE;
    const traceId = parseTraceparent(given.traceparent)?.traceId;
    return { context: given, rewrites: own === undefined, span: undefined, traceId };
  }
  const span = startSpan(tracer, call.method, given);
  const { traceId, spanId, traceFlags } = span.spanContext();
  const traceparent = formatTraceparent({ traceId, spanId, flags: traceFlags });
  return { context: { ...given, traceparent }, rewrites: true, span, traceId };
};
