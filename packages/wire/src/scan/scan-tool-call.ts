import { isUtf8 } from 'node:buffer';
import { META_KEY } from '../revision/meta-key.js';
import { MemberCursor } from './member-cursor.js';
import { NOWHERE, skipSpace } from './skip-json.js';
import { isText, type Span } from './span.js';

/** Where things stand in the bytes of a `tools/call`. */
export interface ToolCallSpans {
  id: Span | undefined;
  method: Span | undefined;
  /** The whole of `params`. */
  params: Span | undefined;
  /** The name of the tool, with its quotes. */
  name: Span | undefined;
  arguments: Span | undefined;
  meta: Span | undefined;
  progressToken: Span | undefined;
  protocolVersion: Span | undefined;
  clientInfo: Span | undefined;
  clientCapabilities: Span | undefined;
  logLevel: Span | undefined;
  traceparent: Span | undefined;
  tracestate: Span | undefined;
  baggage: Span | undefined;
}

type MetaField = Exclude<keyof ToolCallSpans, 'id' | 'method' | 'params' | 'name' | 'arguments' | 'meta'>;

const META_FIELDS: readonly (readonly [name: string, field: MetaField])[] = [
  [META_KEY.protocolVersion, 'protocolVersion'],
  [META_KEY.clientInfo, 'clientInfo'],
  [META_KEY.clientCapabilities, 'clientCapabilities'],
  [META_KEY.logLevel, 'logLevel'],
  ['progressToken', 'progressToken'],
  ['traceparent', 'traceparent'],
  ['tracestate', 'tracestate'],
  ['baggage', 'baggage'],
];

const empty = (): ToolCallSpans => ({
  id: undefined,
  method: undefined,
  params: undefined,
  name: undefined,
  arguments: undefined,
  meta: undefined,
  progressToken: undefined,
  protocolVersion: undefined,
  clientInfo: undefined,
  clientCapabilities: undefined,
  logLevel: undefined,
  traceparent: undefined,
  tracestate: undefined,
  baggage: undefined,
});

/** False for a member that came before: readers of JSON do not agree which of two counts. */
const note = (spans: ToolCallSpans, field: keyof ToolCallSpans, start: number, end: number): boolean => {
  if (spans[field] !== undefined || end === NOWHERE) return false;
  spans[field] = { start, end };
  return true;
};

const scanMeta = (meta: MemberCursor, spans: ToolCallSpans): boolean => {
  while (meta.next()) {
    const known = META_FIELDS.find(([name]) => meta.isNamed(name));
    const end = meta.take();
    if (end === NOWHERE) return false;
    if (known !== undefined && !note(spans, known[1], meta.start, end)) return false;
  }
  return meta.after !== NOWHERE;
};

const scanParams = (params: MemberCursor, spans: ToolCallSpans): boolean => {
  while (params.next()) {
    if (params.isNamed('name')) {
      if (!note(spans, 'name', params.start, params.take())) return false;
    } else if (params.isNamed('arguments')) {
      if (!note(spans, 'arguments', params.start, params.take())) return false;
    } else if (params.isNamed('_meta')) {
      const meta = params.enter();
      if (!scanMeta(meta, spans)) return false;
      if (!note(spans, 'meta', params.start, meta.after)) return false;
      params.leave(meta);
    } else {
      return false;
    }
  }
  return params.after !== NOWHERE;
};

/** One of the four members that a request has. */
const scanMember = (bytes: Uint8Array, message: MemberCursor, spans: ToolCallSpans): boolean => {
  const { start } = message;
  if (message.isNamed('id')) return note(spans, 'id', start, message.take());
  if (message.isNamed('jsonrpc')) return isText(bytes, { start, end: message.take() }, '"2.0"');
  if (message.isNamed('method')) {
    const end = message.take();
    return isText(bytes, { start, end }, '"tools/call"') && note(spans, 'method', start, end);
  }
  if (!message.isNamed('params') || spans.params !== undefined) return false;
  const params = message.enter();
  if (!scanParams(params, spans)) return false;
  message.leave(params);
  return note(spans, 'params', start, params.after);
};

/**
 * Finds the parts of a `tools/call` in its bytes, without building anything. Undefined for whatever is not the plain
 * form of one: other members, members that come twice, names with escapes, more than `depth` levels, no UTF-8.
 */
export const scanToolCall = (bytes: Uint8Array, depth: number): ToolCallSpans | undefined => {
  const message = new MemberCursor(bytes, skipSpace(bytes, 0), depth);
  const spans = empty();
  let members = 0;
  while (message.next()) {
    members += 1;
    if (!scanMember(bytes, message, spans)) return undefined;
  }
  const whole = message.after !== NOWHERE && skipSpace(bytes, message.after) === bytes.length;
  const complete = spans.id !== undefined && spans.method !== undefined && spans.params !== undefined;
  // The fourth is the version.
  return whole && complete && members === 4 && isUtf8(bytes) ? spans : undefined;
};
