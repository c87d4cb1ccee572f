import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { type AnswerSpans, cutMembers, type Edit, META_KEY, objectMembers } from '@plugboard/wire';
import type { ClientFacts, ClientSession } from '../call/mcp-call.js';
import type { ServerTool } from '../call/offered-tool.js';
import type { ServerFacts } from '../connection/server-facts.js';
import { toModernCapabilities } from '../forward/bridge/client-capability.js';
import { isWrapped } from '../forward/bridge/structured-output.js';
import { mayCross } from '../rpc/accepted-answer.js';
import { MODERN_META, RESULT_MEMBERS } from '../rpc/era-members.js';
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

/** Adds what every modern result has; members that it has already stay. */
const toModernResult = (
  message: Buffer,
  { result, meta }: AnswerSpans,
  serverInfo: string | undefined,
): readonly Edit[] => {
  if (result === undefined) return [];
  const type = '"resultType":"complete",';
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
export const toLegacyServer = ({ serverInfo }: ServerFacts): EraBridge => ({
  added: NOTHING,
  changes: (message, spans) =>
    mayCross(message, spans, 'legacy')
      ? toModernResult(message, spans, serverInfo && member(META_KEY.serverInfo, serverInfo))
      : undefined,
});

const isWrappedFor = ({ upstreamDefinition }: ServerTool, message: Buffer, spans: AnswerSpans): boolean => {
  const { structuredContent: content } = spans;
  return content !== undefined && isWrapped(message[content.start] === OPEN_BRACE, upstreamDefinition.outputSchema);
};

/** From a legacy session to a modern server, which is asked in the session's name. */
export const toModernServer = (
  { capabilities, clientInfo }: ClientFacts,
  { logLevel = LEGACY_DEFAULT_LEVEL }: ClientSession,
  { tool, revision }: { readonly tool: ServerTool; readonly revision: string },
): EraBridge => ({
  added: [
    member(META_KEY.clientCapabilities, toModernCapabilities(capabilities)),
    ...(clientInfo === undefined ? [] : [member(META_KEY.clientInfo, clientInfo)]),
    member(META_KEY.logLevel, logLevel),
    member(META_KEY.protocolVersion, revision),
  ],
  changes: (message, spans) =>
    mayCross(message, spans, 'modern') && !isWrappedFor(tool, message, spans)
      ? toLegacyResult(message, spans)
      : undefined,
});
