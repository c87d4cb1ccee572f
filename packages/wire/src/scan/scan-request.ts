import { isUtf8 } from 'node:buffer';
import { META_KEY } from '../revision/meta-key.js';
import { MemberCursor } from './member-cursor.js';
import { NOWHERE, skipSpace } from './skip-json.js';
import { isText, type Span } from './span.js';

const QUOTE = 0x22;

/** The requests that can be passed on as bytes, each with the members that its parameters may have beside `_meta`. */
const PLAIN_PARAMS = {
  'tools/call': ['name', 'arguments'],
  'prompts/get': ['name', 'arguments'],
  'resources/read': ['uri'],
  'completion/complete': ['ref', 'argument', 'context'],
} as const satisfies Readonly<Record<string, readonly ParamField[]>>;

export type PlainMethod = keyof typeof PLAIN_PARAMS;

export const PLAIN_METHODS = Object.keys(PLAIN_PARAMS) as readonly PlainMethod[];

/** Where things stand in the bytes of a plain request. */
export interface RequestSpans {
  method: PlainMethod | undefined;
  id: Span | undefined;
  /** The whole of `params`. */
  params: Span | undefined;
  /** The name of the tool or prompt, with its quotes. */
  name: Span | undefined;
  arguments: Span | undefined;
  uri: Span | undefined;
  ref: Span | undefined;
  argument: Span | undefined;
  context: Span | undefined;
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

type SpanField = Exclude<keyof RequestSpans, 'method'>;
type ParamField = 'name' | 'arguments' | 'uri' | 'ref' | 'argument' | 'context';
type MetaField = Exclude<SpanField, ParamField | 'id' | 'params' | 'meta'>;

const PARAM_FIELDS: readonly ParamField[] = ['name', 'arguments', 'uri', 'ref', 'argument', 'context'];

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

const empty = (): RequestSpans => ({
  method: undefined,
  id: undefined,
  params: undefined,
  name: undefined,
  arguments: undefined,
  uri: undefined,
  ref: undefined,
  argument: undefined,
  context: undefined,
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
const note = (spans: RequestSpans, field: SpanField, start: number, end: number): boolean => {
  if (spans[field] !== undefined || end === NOWHERE) return false;
  spans[field] = { start, end };
  return true;
};

const scanMeta = (meta: MemberCursor, spans: RequestSpans): boolean => {
  while (meta.next()) {
    const known = META_FIELDS.find(([name]) => meta.isNamed(name));
    const end = meta.take();
    if (end === NOWHERE) return false;
    if (known !== undefined && !note(spans, known[1], meta.start, end)) return false;
  }
  return meta.after !== NOWHERE;
};

const scanParams = (params: MemberCursor, spans: RequestSpans): boolean => {
  while (params.next()) {
    if (params.isNamed('_meta')) {
      const meta = params.enter();
      if (!scanMeta(meta, spans)) return false;
      if (!note(spans, 'meta', params.start, meta.after)) return false;
      params.leave(meta);
    } else {
      const known = PARAM_FIELDS.find((name) => params.isNamed(name));
      if (known === undefined || !note(spans, known, params.start, params.take())) return false;
    }
  }
  return params.after !== NOWHERE;
};

/** One of the four members that a request has. */
const scanMember = (bytes: Uint8Array, message: MemberCursor, spans: RequestSpans): boolean => {
  const { start } = message;
  if (message.isNamed('id')) return note(spans, 'id', start, message.take());
  if (message.isNamed('jsonrpc')) return isText(bytes, { start, end: message.take() }, '"2.0"');
  if (message.isNamed('method')) {
    const end = message.take();
    if (spans.method !== undefined || end === NOWHERE) return false;
    spans.method = PLAIN_METHODS.find((method) => isText(bytes, { start: start + 1, end: end - 1 }, method));
    return spans.method !== undefined && bytes[start] === QUOTE;
  }
  if (!message.isNamed('params') || spans.params !== undefined) return false;
  const params = message.enter();
  if (!scanParams(params, spans)) return false;
  message.leave(params);
  return note(spans, 'params', start, params.after);
};

/** The members may come before the method that says which of them there may be. */
const hasOnly = (spans: RequestSpans, method: PlainMethod): boolean => {
  const allowed: readonly ParamField[] = PLAIN_PARAMS[method];
  return PARAM_FIELDS.every((field) => spans[field] === undefined || allowed.includes(field));
};

/**
 * Finds the parts of a request in its bytes, without building anything. Undefined for whatever is not the plain form of one
 * of the methods: other members, members that come twice, names with escapes, more than `depth` levels, no UTF-8.
 */
export const scanRequest = (bytes: Uint8Array, depth: number): RequestSpans | undefined => {
  const message = new MemberCursor(bytes, skipSpace(bytes, 0), depth);
  const spans = empty();
  let members = 0;
  while (message.next()) {
    members += 1;
    if (!scanMember(bytes, message, spans)) return undefined;
  }
  const whole = message.after !== NOWHERE && skipSpace(bytes, message.after) === bytes.length;
  const complete = spans.id !== undefined && spans.params !== undefined && members === 4;
  // The fourth is the version.
  if (!whole || !complete || spans.method === undefined || !hasOnly(spans, spans.method)) return undefined;
  return isUtf8(bytes) ? spans : undefined;
};
