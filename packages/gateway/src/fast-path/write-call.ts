import { type Edit, type Span, splice } from '@plugboard/wire';
import type { TraceContext } from '../pipeline/observe/trace-context.js';
import type { WrittenCall } from './written-call.js';

/** What a server gets to see instead of what the client wrote. */
export interface CallChanges {
  /** The id as JSON. */
  readonly idText: string;
  readonly name: string;
  readonly context: TraceContext | undefined;
  /** What the message ends with on the wire. */
  readonly ending: string;
}

const SPACE = 0x20;
const CLOSE_BRACE = 0x7d;

const edit = ({ start, end }: Span, text: string): Edit => ({ start, end, text });

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

/** Members that stand first in an object that goes on with others, or not. */
const asFirst = (call: WrittenCall, holder: Span, members: string): Edit => {
  let at = holder.start + 1;
  while ((call.bytes[at] ?? CLOSE_BRACE) <= SPACE) at += 1;
  return insertion(holder.start + 1, call.bytes[at] === CLOSE_BRACE ? members : `${members},`);
};

const TRACE_MEMBERS = ['traceparent', 'tracestate', 'baggage'] as const;

const traceEdits = (call: WrittenCall, context: TraceContext): readonly Edit[] => {
  const { spans } = call;
  const edits: Edit[] = [];
  const missing: string[] = [];
  for (const member of TRACE_MEMBERS) {
    const value = context[member];
    const span = spans[member];
    if (value === undefined) continue;
    if (span === undefined) missing.push(`"${member}":${JSON.stringify(value)}`);
    else edits.push(edit(span, JSON.stringify(value)));
  }
  if (missing.length === 0) return edits;
  if (spans.meta !== undefined) return [...edits, asFirst(call, spans.meta, missing.join(','))];
  return spans.params === undefined ? edits : [asFirst(call, spans.params, `"_meta":{${missing.join(',')}}`)];
};

/** The bytes for the server: everything as it was, but for what must be another. */
export const writeCall = (call: WrittenCall, { idText, name, context, ending }: CallChanges): Buffer => {
  const { spans, bytes } = call;
  const edits: Edit[] = [];
  if (spans.id !== undefined && idText !== call.idText) edits.push(edit(spans.id, idText));
  if (spans.name !== undefined && name !== call.name) edits.push(edit(spans.name, JSON.stringify(name)));
  // The server gets a token of ours, unique on its connection: the id of the request.
  if (spans.progressToken !== undefined) edits.push(edit(spans.progressToken, idText));
  if (context !== undefined) edits.push(...traceEdits(call, context));
  if (edits.length > 1) edits.sort((a, b) => a.start - b.start);
  if (ending !== '') edits.push(insertion(bytes.length, ending));
  return edits.length === 0 ? bytes : splice(bytes, edits);
};
