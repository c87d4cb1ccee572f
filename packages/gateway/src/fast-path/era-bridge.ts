import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { type AnswerSpans, cutMembers, type Edit, META_KEY, objectMembers, type PlainMethod } from '@plugboard/wire';
import type { ClientFacts, ClientSession } from '../call/mcp-call.js';
import type { ServerTool } from '../call/offered-tool.js';
import type { ServerFacts } from '../connection/server-facts.js';
import { toModernCapabilities } from '../forward/bridge/client-capability.js';
import { isWrapped } from '../forward/bridge/structured-output.js';
import { mayCross } from '../rpc/accepted-answer.js';
import { MODERN_META, NOT_CACHEABLE, RESULT_MEMBERS } from '../rpc/era-members.js';
import { LEGACY_DEFAULT_LEVEL } from '../rpc/log-level.js';

/** How a plain call and its answer change on their way between a client and a server of different eras. */
export interface EraBridge {
  /** Members that the server finds in the metadata, as JSON. Those of the modern era that the client wrote go. */
  readonly added: readonly string[];
  /** What changes in an answer; undefined when the full path has to look at it. */
  changes(message: Buffer, spans: AnswerSpans): readonly Edit[] | undefined;
}

const OPEN_BRACE = 0x7b;
const NOTHING: readonly string[] = [];

const member = (name: string, value: unknown): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

const isCut = ({ name }: { readonly name: string }): boolean => MODERN_META.has(name);

const TYPE = '"resultType":"complete",';
const NOT_KEPT = `"ttlMs":${NOT_CACHEABLE.ttlMs},"cacheScope":"${NOT_CACHEABLE.cacheScope}",`;

/** Adds what every modern result has; members that it has already stay. */
const toModernResult = (
  message: Buffer,
  { result, meta }: AnswerSpans,
  { method, serverInfo }: { readonly method: PlainMethod; readonly serverInfo: string | undefined },
): readonly Edit[] => {
  if (result === undefined) return [];
  const type = method === 'resources/read' ? TYPE + NOT_KEPT : TYPE;
  if (serverInfo === undefined) return [insertion(result.start + 1, type)];
  if (meta === undefined) return [insertion(result.start + 1, `${type}"_meta":{${serverInfo}},`)];
  const members = objectMembers(message, meta.start, MAX_JSON_DEPTH) ?? [];
  const edits = [insertion(result.start + 1, type)];
  if (members.some(({ name }) => name === META_KEY.serverInfo)) return edits;
  return [...edits, insertion(meta.start + 1, members.length === 0 ? serverInfo : `${serverInfo},`)];
};

/** Takes away what only modern results have. */
const toLegacyResult = (message: Buffer, { result, meta }: AnswerSpans): readonly Edit[] | undefined => {
  const members = result && objectMembers(message, result.start, MAX_JSON_DEPTH);
  if (result === undefined || members === undefined) return undefined;
  const inMeta = meta === undefined ? [] : (objectMembers(message, meta.start, MAX_JSON_DEPTH) ?? []);
  const dropsMeta = inMeta.every(isCut);
  const edits = cutMembers(
    message,
    result.start,
    members,
    ({ name }) => RESULT_MEMBERS.has(name) || (name === '_meta' && dropsMeta),
  );
  if (meta === undefined || dropsMeta) return edits;
  const inside = cutMembers(message, meta.start, inMeta, isCut);
  return [...edits, ...inside].toSorted((one, other) => one.start - other.start);
};

/** From a modern client to a legacy server. */
export const toLegacyServer = ({ serverInfo }: ServerFacts, method: PlainMethod): EraBridge => ({
  added: NOTHING,
  changes: (message, spans) => {
    if (!mayCross(message, spans, { method, era: 'legacy' })) return undefined;
    // A hint of the server's own stays, which takes a closer look.
    const hasHint = spans.ttlMs !== undefined || spans.cacheScope !== undefined;
    if (hasHint && method === 'resources/read') return undefined;
    const info = serverInfo && member(META_KEY.serverInfo, serverInfo);
    return toModernResult(message, spans, { method, serverInfo: info });
  },
});

const isWrappedFor = (tool: ServerTool | undefined, message: Buffer, spans: AnswerSpans): boolean => {
  const { structuredContent: content } = spans;
  if (content === undefined || tool === undefined) return false;
  return isWrapped(message[content.start] === OPEN_BRACE, tool.upstreamDefinition.outputSchema);
};

/** What a modern server is asked, and in which revision. */
export interface ModernAsked {
  readonly method: PlainMethod;
  readonly tool: ServerTool | undefined;
  readonly revision: string;
}

/** From a legacy client to a modern server, which is asked in the client's name. */
export const toModernServer = (
  { capabilities, clientInfo }: ClientFacts,
  session: ClientSession | undefined,
  { method, tool, revision }: ModernAsked,
): EraBridge => ({
  added: [
    // Who has no session cannot be asked.
    member(META_KEY.clientCapabilities, session === undefined ? {} : toModernCapabilities(capabilities)),
    ...(clientInfo === undefined ? [] : [member(META_KEY.clientInfo, clientInfo)]),
    member(META_KEY.logLevel, session?.logLevel ?? LEGACY_DEFAULT_LEVEL),
    member(META_KEY.protocolVersion, revision),
  ],
  changes: (message, spans) =>
    mayCross(message, spans, { method, era: 'modern' }) && !isWrappedFor(tool, message, spans)
      ? toLegacyResult(message, spans)
      : undefined,
});
