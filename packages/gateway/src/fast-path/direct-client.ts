import { decodeHeaderValue, findRevision } from '@plugboard/wire';
import { MODERN_VERSIONS } from '../offer/greeting/greeting.js';
import { isLogLevel } from '../rpc/log-level.js';
import { bindingOfCaller } from '../call/caller.js';
import type { ClientFacts } from '../call/mcp-call.js';
import { headerText } from '../session/era-of.js';
import type { LegacySession } from '../session/legacy-session.js';
import { statelessFacts } from '../session/open-session.js';
import type { ListenerParts, HttpTurn } from '../session/http-turn.js';
import type { DirectObstacle } from '../call/relay-path.js';
import type { WrittenCall } from './written-call.js';

/** Who calls, as far as the call itself or its session tells. */
export interface DirectClient {
  readonly facts: ClientFacts;
  readonly session: LegacySession | undefined;
}

const PARAM_FIELD = 'mcp-param-';

const mirrorsSubject = (name: unknown, subject: string): boolean =>
  typeof name === 'string' && (name === subject || decodeHeaderValue(name) === subject);

const mirrorsCall = ({ request: { headers } }: HttpTurn, { method, subject }: WrittenCall): boolean =>
  headers['mcp-method'] === method && (subject === undefined || mirrorsSubject(headers['mcp-name'], subject));

const modernClient = (turn: HttpTurn, call: WrittenCall, version: string): DirectClient | DirectObstacle => {
  const { spans } = call;
  const { headers } = turn.request;
  const revision = findRevision(version);
  if (revision === undefined || !MODERN_VERSIONS.includes(revision.id)) return 'message';
  if (headers['mcp-protocol-version'] !== version || !mirrorsCall(turn, call)) return 'message';
  // What is missing here is added on the full path.
  if (!call.isObject(spans.clientCapabilities) || !call.isObject(spans.clientInfo)) return 'message';
  if (spans.logLevel !== undefined && !isLogLevel(call.text(spans.logLevel))) return 'message';
  for (const name in headers) if (name.startsWith(PARAM_FIELD)) return 'param-headers';
  // Neither capabilities nor the name of the client change the way of a call to servers of this era; others ask for them.
  const facts: ClientFacts = { revision, capabilities: {}, clientInfo: undefined, caller: turn.caller };
  return { facts, session: undefined };
};

/** The same for a client whose session says everything. */
export const legacyClient = ({ sessions }: ListenerParts, turn: HttpTurn): DirectClient | DirectObstacle => {
  const { headers } = turn.request;
  const version = headerText(headers, 'mcp-protocol-version');
  if (version !== undefined && findRevision(version)?.era !== 'legacy') return 'message';
  const id = headerText(headers, 'mcp-session-id');
  if (id === undefined) return { facts: statelessFacts(version, turn.caller), session: undefined };
  const session = sessions.peek(id)?.session;
  if (session?.scope.id !== turn.scope.id || bindingOfCaller(session.client.caller) !== bindingOfCaller(turn.caller)) {
    return 'session';
  }
  if (session.view?.due !== undefined) return 'session';
  return { facts: session.client, session };
};

/** The client behind a call, or why it needs the full path. */
export const directClient = (
  parts: ListenerParts,
  turn: HttpTurn,
  call: WrittenCall,
): DirectClient | DirectObstacle => {
  const version = call.text(call.spans.protocolVersion);
  if (version !== undefined) return modernClient(turn, call, version);
  return call.spans.protocolVersion === undefined ? legacyClient(parts, turn) : 'message';
};
