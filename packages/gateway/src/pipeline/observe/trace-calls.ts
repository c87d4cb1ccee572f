import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { CallStep } from '../../call/step.js';
import { type CallOutcome, type CallRecord, outcomeOfFailure, outcomeOfResult, recordOf } from './call-record.js';
import { contextOf, formatTraceparent, parseTraceparent, type TraceContext, withContext } from './trace-context.js';

const parentOf = (given: TraceContext | undefined): Context => {
  const parsed = parseTraceparent(given?.traceparent);
  if (parsed === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parsed.traceId,
    spanId: parsed.spanId,
    traceFlags: parsed.flags,
    isRemote: true,
  });
};

/** Passes the client's context on to the server, whichever way either of them is reached. */
export const passTraceContext: CallStep = (call, next) => {
  const given = contextOf(call);
  return next(given === undefined ? call : withContext(call, given));
};

const attributesOf = ({ method, scope, server, tool, era, outcome }: CallRecord, revision: string) => ({
  'mcp.method.name': method,
  'mcp.protocol.version': revision,
  'plugboard.endpoint': scope,
  'plugboard.client.era': era,
  'plugboard.outcome': outcome,
  ...(server === undefined ? {} : { 'plugboard.server': server }),
  ...(tool === undefined ? {} : { 'gen_ai.tool.name': tool }),
});

/** Arguments are not in it. */
export const endSpan = (span: Span, record: CallRecord, revision: string): void => {
  const { outcome } = record;
  span.setAttributes(attributesOf(record, revision));
  if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
  span.end();
};

export const startSpan = (tracer: Tracer, method: string, given: TraceContext | undefined): Span =>
  tracer.startSpan(method.slice(0, 64), { kind: SpanKind.SERVER }, parentOf(given));

/** One span for every request, a child of the client's; the server's are children of ours. */
export const traceCalls =
  (tracer: Tracer): CallStep =>
  async (call, next) => {
    const given = contextOf(call);
    const span = call.sent?.span ?? startSpan(tracer, call.method, given);
    const { traceId, spanId, traceFlags } = span.spanContext();
    const ours = {
      tracestate: given?.tracestate,
      baggage: given?.baggage,
      traceparent: formatTraceparent({ traceId, spanId, flags: traceFlags }),
    };
    const traced = { ...withContext(call, ours), notes: call.notes ?? {} };
    let outcome: CallOutcome = 'ok';
    try {
      const result = await next(traced);
      outcome = outcomeOfResult(result);
      return result;
    } catch (thrown) {
      outcome = outcomeOfFailure(thrown, call);
      throw thrown;
    } finally {
      endSpan(span, recordOf(traced, { outcome, durationMs: 0, traceId }), call.client.revision.id);
    }
  };
