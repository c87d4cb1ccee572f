import type { JsonObject } from '@plugboard/wire';
import { isJsonObject } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';

/** W3C Trace Context, as far as it is passed on. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-[!-~]*)?$/u;
/** What may stand in an HTTP field; anything else would break the request that passes it on. */
const PRINTABLE = /^[\t -~]+$/u;
const MAX_STATE = 8192;

export interface ParsedTraceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

export const parseTraceparent = (text: unknown): ParsedTraceparent | undefined => {
  if (typeof text !== 'string' || text.length > 256) return undefined;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
};

export const formatTraceparent = ({ traceId, spanId, flags }: ParsedTraceparent): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= MAX_STATE && PRINTABLE.test(value) ? value : undefined;

export const contextIn = (holder: Readonly<Record<string, unknown>>): TraceContext | undefined => {
  const { traceparent, tracestate, baggage } = holder;
  if (parseTraceparent(traceparent) === undefined || typeof traceparent !== 'string') return undefined;
  return { traceparent, tracestate: text(tracestate), baggage: text(baggage) };
};

const metaOf = (params: JsonObject): JsonObject => (isJsonObject(params['_meta']) ? params['_meta'] : {});

/** The context that the client gave: `_meta` is about this request alone, so it goes before the HTTP fields. */
export const contextOf = ({ params, headers }: Pick<McpCall, 'params' | 'headers'>): TraceContext | undefined =>
  contextIn(metaOf(params)) ?? contextIn(headers);

export const traceIdOf = (params: JsonObject): string | undefined =>
  parseTraceparent(metaOf(params)['traceparent'])?.traceId;

const members = ({ traceparent, tracestate, baggage }: TraceContext): Record<string, string> => ({
  traceparent,
  ...(tracestate === undefined ? {} : { tracestate }),
  ...(baggage === undefined ? {} : { baggage }),
});

/** The request with this context in `_meta` and among the HTTP fields, whichever way the server is reached. */
export const withContext = (call: McpCall, context: TraceContext): McpCall => ({
  ...call,
  params: { ...call.params, _meta: { ...metaOf(call.params), ...members(context) } },
  headers: { ...call.headers, ...members(context) },
});
