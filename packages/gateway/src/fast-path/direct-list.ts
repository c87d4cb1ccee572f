import { isUtf8 } from 'node:buffer';
import { tryJson } from '@plugboard/base';
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
import { writtenResult } from '../rpc/raw-json.js';
import type { Scope } from '../call/scope.js';
import { legacyClient } from './direct-client.js';
import type { DirectSteps } from '../pipeline/direct-steps.js';
import { writeJsonHead } from './write-answer.js';

export interface DirectListParts extends ListenerParts {
  readonly tools: ToolList;
  readonly firstLists: FirstLists;
  readonly identity: HubIdentity;
}

const METHOD = 'tools/list';
/** More than a request for a list takes. */
const MAX_BYTES = 2048;

const isPlainId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

/** Nothing but what every request of its era has, and no trace that has to be continued. */
const saysNoMore = (params: unknown): boolean => {
  if (params === undefined) return true;
  if (!isJsonObject(params)) return false;
  const { _meta: meta, ...others } = params;
  return Object.keys(others).length === 0 && (!isJsonObject(meta) || meta['traceparent'] === undefined);
};

/** A request for the whole list that says nothing else; undefined for everything else. */
const listingIn = (bytes: Buffer): JsonRpcRequest | undefined => {
  if (bytes.length > MAX_BYTES || !bytes.includes(METHOD) || !isUtf8(bytes)) return undefined;
  // What is no JSON goes the full path, which says what is wrong with it.
  const message = tryJson(bytes.toString());
  if (!isJsonObject(message)) return undefined;
  const { jsonrpc, id, method, params, ...others } = message;
  const isPlain = jsonrpc === '2.0' && method === METHOD && isPlainId(id) && saysNoMore(params);
  return isPlain && Object.keys(others).length === 0 ? (message as unknown as JsonRpcRequest) : undefined;
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

const recordOf = ({ scope, client }: Asker, startedAt: number, flow: CallFlow | undefined): CallRecord => ({
  method: METHOD,
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

/** The fast path of tools/list: the answer is kept, so there is nothing to wait for. */
export class DirectList {
  readonly #parts: DirectListParts;
  readonly #steps: DirectSteps;

  constructor(parts: DirectListParts, steps: DirectSteps) {
    this.#parts = parts;
    this.#steps = steps;
  }

  /** Answers the turn, or leaves it to the full path: then false. */
  take(turn: HttpTurn, body: Buffer): boolean {
    const { tracer, limits, tell } = this.#steps;
    if (tracer !== undefined || !limits.isEmpty || turn.request.headers['traceparent'] !== undefined) return false;
    const startedAt = performance.now();
    const message = listingIn(body);
    if (message === undefined) return false;
    try {
      const asker = askerOf(this.#parts, turn, message);
      // What is kept for everybody says nothing of the hubs behind it.
      if (asker !== undefined && (isHub(asker.client) || this.#parts.firstLists.isDue(asker.scope))) return false;
      const pieces = asker === undefined ? undefined : this.#answerTo(asker, message.id);
      if (asker === undefined || pieces === undefined) return false;
      if (asker.session !== undefined) asker.session.usedAt = startedAt;
      writeJsonHead(turn.response, lengthOf(pieces));
      writeKept(turn.response, pieces, this.#parts.backpressure);
      tell(recordOf(asker, startedAt, this.#flowOf(asker, message, pieces)));
      return true;
    } catch {
      // The full path meets the same error, and answers with it.
      return false;
    }
  }

  /** Undefined while nobody follows requests. */
  #flowOf({ client, scope, session }: Asker, message: JsonRpcRequest, pieces: readonly Buffer[]): CallFlow | undefined {
    const { flows } = this.#steps;
    if (flows?.followsCalls !== true) return undefined;
    const flow = beginFlow(flows, { id: message.id, client, session });
    flow.path = 'fast';
    flow.decide('list from memory');
    if (flows.followsMessages) {
      const shared = { transport: 'http', endpoint: scope.id, callId: flow.subject.callId };
      flows.see({ ...shared, direction: 'received', message });
      flows.see({ ...shared, direction: 'sent', message: Buffer.concat(pieces).toString() });
    }
    return flow;
  }

  #answerTo({ client, scope }: Asker, id: RequestId): readonly Buffer[] | undefined {
    const { era } = client.revision;
    const info = (): JsonObject => serverInfoOf(scope, this.#parts, era);
    const result = this.#parts.tools.answer({ params: {}, client, scope }, info);
    const pieces = writtenResult(id, result);
    return pieces === undefined || lengthOf(pieces) > this.#steps.maxResultBytes ? undefined : pieces;
  }
}
