import { isUtf8 } from 'node:buffer';
import { tryJson } from '@plugboard/base';
import { ORIGINS_META } from '@plugboard/contract';
import { isJsonObject, type JsonObject, type JsonRpcRequest, type RequestId } from '@plugboard/wire';
import { serverInfoOf, type HubIdentity } from '../offer/greeting/greeting.js';
import { isHub } from '../pipeline/answer/tell-hubs.js';
import type { FirstLists } from '../offer/aggregate/first-lists.js';
import type { ToolList } from '../offer/aggregate/tool-list.js';
import type { CallFlow } from '../call/call-flow.js';
import { beginFlow } from '../call/flow-watch.js';
import type { ClientFacts } from '../call/mcp-call.js';
import { eraOf } from '../session/era-of.js';
import type { LegacySession } from '../session/legacy-session.js';
import { readModernEnvelope } from '../session/modern-envelope.js';
import type { ListenerParts, HttpTurn } from '../session/http-turn.js';
import { lengthOf, writeKept } from '../http/write-kept.js';
import type { CallRecord } from '../pipeline/observe/call-record.js';
import { RawJson, writtenResult } from '../rpc/raw-json.js';
import type { Scope } from '../call/scope.js';
import { legacyClient } from './direct-client.js';
import type { DirectSteps } from '../pipeline/direct-steps.js';
import { writeJsonHead } from './write-answer.js';

export interface OwnAnswerParts extends ListenerParts {
  readonly tools: ToolList;
  readonly firstLists: FirstLists;
  readonly identity: HubIdentity;
}

/** What the hub answers itself, at once. */
const METHODS = ['tools/list', 'ping'] as const;
type OwnMethod = (typeof METHODS)[number];
/** More than such a request takes. */
const MAX_BYTES = 2048;
const EMPTY = new RawJson('{}');

interface OwnRequest {
  readonly message: JsonRpcRequest;
  readonly method: OwnMethod;
}

const isPlainId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

/** What the full path reads in `_meta`: a trace that has to be continued, and the wish for the origins of tools. */
const READ_META = ['traceparent', ORIGINS_META];

/** Nothing but what every request of its era has. */
const saysNoMore = (params: unknown): boolean => {
  if (params === undefined) return true;
  if (!isJsonObject(params)) return false;
  const { _meta: meta, ...others } = params;
  if (Object.keys(others).length > 0) return false;
  return !isJsonObject(meta) || READ_META.every((name) => meta[name] === undefined);
};

/** A request of one of the methods that says nothing else; undefined for everything else. */
const requestIn = (bytes: Buffer): OwnRequest | undefined => {
  if (bytes.length > MAX_BYTES || !isUtf8(bytes)) return undefined;
  const named = METHODS.find((method) => bytes.includes(`"${method}"`));
  if (named === undefined) return undefined;
  // What is no JSON goes the full path, which says what is wrong with it.
  const message = tryJson(bytes.toString());
  if (!isJsonObject(message)) return undefined;
  const { jsonrpc, id, method, params, ...others } = message;
  const isPlain = jsonrpc === '2.0' && method === named && isPlainId(id) && saysNoMore(params);
  if (!isPlain || Object.keys(others).length > 0) return undefined;
  return { message: message as unknown as JsonRpcRequest, method: named };
};

/** Who asks, and for what. */
interface Asker {
  readonly client: ClientFacts;
  readonly scope: Scope;
  readonly session: LegacySession | undefined;
}

const askerOf = (parts: ListenerParts, turn: HttpTurn, message: JsonRpcRequest): Asker | undefined => {
  const { headers } = turn.request;
  if (eraOf(message, headers) === 'modern') {
    const { client } = readModernEnvelope(message, turn.caller, headers);
    return { client, scope: turn.scope, session: undefined };
  }
  const found = legacyClient(parts, turn);
  if (typeof found === 'string' || found.session === undefined) return undefined;
  return { client: found.facts, scope: found.session.scope, session: found.session };
};

const recordOf = (
  { scope, client }: Asker,
  { method }: OwnRequest,
  startedAt: number,
  flow: CallFlow | undefined,
): CallRecord => ({
  method,
  scope: scope.id,
  principal: client.caller.principal,
  era: client.revision.era,
  server: undefined,
  tool: undefined,
  outcome: 'ok',
  durationMs: performance.now() - startedAt,
  traceId: undefined,
  args: undefined,
  flow,
});

/** The fast path of what the hub answers itself without waiting: cached lists and pings. */
export class OwnAnswers {
  readonly #parts: OwnAnswerParts;
  readonly #steps: DirectSteps;

  constructor(parts: OwnAnswerParts, steps: DirectSteps) {
    this.#parts = parts;
    this.#steps = steps;
  }

  /** Answers the turn, or leaves it to the full path: then false. */
  take(turn: HttpTurn, body: Buffer): boolean {
    const { tracer, limits, tell } = this.#steps;
    if (tracer !== undefined || !limits.isEmpty || turn.request.headers['traceparent'] !== undefined) return false;
    const startedAt = performance.now();
    const asked = requestIn(body);
    if (asked === undefined) return false;
    try {
      const asker = askerOf(this.#parts, turn, asked.message);
      const pieces = asker && this.#answerTo(asker, asked);
      if (asker === undefined || pieces === undefined) return false;
      if (asker.session !== undefined) {
        asker.session.usedAt = startedAt;
        asker.session.wasUsed = true;
      }
      writeJsonHead(turn.response, lengthOf(pieces));
      writeKept(turn.response, pieces, this.#parts.backpressure);
      tell(recordOf(asker, asked, startedAt, this.#flowOf(asker, asked, pieces)));
      return true;
    } catch {
      // The full path meets the same error, and answers with it.
      return false;
    }
  }

  /** Undefined while nobody follows requests. */
  #flowOf(
    { client, scope, session }: Asker,
    { message, method }: OwnRequest,
    pieces: readonly Buffer[],
  ): CallFlow | undefined {
    const { flows } = this.#steps;
    if (flows?.followsCalls !== true) return undefined;
    const flow = beginFlow(flows, { id: message.id, client, session });
    flow.path = 'fast';
    if (method === 'tools/list') flow.decide('list from memory');
    if (flows.followsMessages) {
      const shared = { transport: 'http', endpoint: scope.id, callId: flow.subject.callId };
      flows.see({ ...shared, direction: 'received', message });
      flows.see({ ...shared, direction: 'sent', message: Buffer.concat(pieces).toString() });
    }
    return flow;
  }

  /** Undefined for what the full path has to answer. */
  #answerTo(asker: Asker, { message: { id }, method }: OwnRequest): readonly Buffer[] | undefined {
    if (method === 'tools/list') return this.#listFor(asker, id);
    // Modern clients have no ping.
    return asker.client.revision.era === 'legacy' ? writtenResult(id, EMPTY) : undefined;
  }

  #listFor({ client, scope }: Asker, id: RequestId): readonly Buffer[] | undefined {
    // What is kept for everybody says nothing of the hubs behind it.
    if (isHub(client) || this.#parts.firstLists.isDue(scope)) return undefined;
    const { era } = client.revision;
    const info = (): JsonObject => serverInfoOf(scope, this.#parts, era);
    const result = this.#parts.tools.answer({ params: {}, client, scope }, info);
    const pieces = writtenResult(id, result);
    return pieces === undefined || lengthOf(pieces) > this.#steps.maxResultBytes ? undefined : pieces;
  }
}
