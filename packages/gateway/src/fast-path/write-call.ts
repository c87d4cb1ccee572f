import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { cutMembers, type Edit, objectMembers, type Span, splice } from '@plugboard/wire';
import type { TraceContext } from '../pipeline/observe/trace-context.js';
import { MODERN_META } from '../rpc/era-members.js';
import type { WrittenCall } from './written-call.js';

/** What a server gets to see instead of what the client wrote. */
export interface CallChanges {
  /** The id as JSON. */
  readonly idText: string;
  /** What the server calls the tool; undefined when the subject stays. */
  readonly name: string | undefined;
  readonly context: TraceContext | undefined;
  /** Members of the metadata in place of those of the modern era; undefined when these stay. */
  readonly added?: readonly string[] | undefined;
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

const isReplaced = (name: string, context: TraceContext | undefined): boolean =>
  MODERN_META.has(name) || TRACE_MEMBERS.some((member) => member === name && context?.[member] !== undefined);

/** What of the metadata of a call goes to a server of the other era. */
const keptMeta = (call: WrittenCall, meta: Span, { idText, context }: CallChanges): readonly string[] =>
  (objectMembers(call.bytes, meta.start, MAX_JSON_DEPTH) ?? [])
    .filter(({ name }) => !isReplaced(name, context))
    .map(({ name, start, end }) => {
      const value = name === 'progressToken' ? idText : call.bytes.toString('utf8', start, end);
      return `${JSON.stringify(name)}:${value}`;
    });

const traceMembers = (context: TraceContext | undefined): readonly string[] =>
  TRACE_MEMBERS.filter((name) => context?.[name] !== undefined).map(
    (name) => `"${name}":${JSON.stringify(context?.[name])}`,
  );

/** Rewrites the metadata, and leaves it out if it becomes empty. */
const bridgedEdits = (call: WrittenCall, changes: CallChanges, added: readonly string[]): readonly Edit[] => {
  const { params, meta } = call.spans;
  if (params === undefined) return [];
  const kept = meta === undefined ? [] : keptMeta(call, meta, changes);
  const written = [...kept, ...traceMembers(changes.context), ...added].join(',');
  if (meta !== undefined && written !== '') return [edit(meta, `{${written}}`)];
  if (written !== '') return [asFirst(call, params, `"_meta":{${written}}`)];
  const members = objectMembers(call.bytes, params.start, MAX_JSON_DEPTH) ?? [];
  return cutMembers(call.bytes, params.start, members, ({ name }) => name === '_meta');
};

/** What changes in the metadata. */
const metaEdits = (call: WrittenCall, changes: CallChanges): readonly Edit[] => {
  const { idText, context, added } = changes;
  if (added !== undefined) return bridgedEdits(call, changes, added);
  const { progressToken } = call.spans;
  // The server gets a token of ours, unique on its connection: the id of the request.
  const edits = progressToken === undefined ? [] : [edit(progressToken, idText)];
  if (context !== undefined) edits.push(...traceEdits(call, context));
  return edits;
};

/** The bytes for the server: everything as it was, but for what must be another. */
export const writeCall = (call: WrittenCall, changes: CallChanges): Buffer => {
  const { spans, bytes } = call;
  const { idText, name, ending } = changes;
  const edits: Edit[] = [];
  if (spans.id !== undefined && idText !== call.idText) edits.push(edit(spans.id, idText));
  if (spans.name !== undefined && name !== undefined && name !== call.subject) {
    edits.push(edit(spans.name, JSON.stringify(name)));
  }
  edits.push(...metaEdits(call, changes));
  if (edits.length > 1) edits.sort((a, b) => a.start - b.start);
  if (ending !== '') edits.push(insertion(bytes.length, ending));
  return edits.length === 0 ? bytes : splice(bytes, edits);
};
