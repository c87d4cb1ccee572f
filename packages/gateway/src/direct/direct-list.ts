import { isUtf8 } from 'node:buffer';
import { isJsonObject, type RequestId } from '@plugboard/wire';
import { serverInfoOf, type HubIdentity } from '../aggregate/greeting.js';
import type { ToolList } from '../aggregate/tool-list.js';
import type { ClientFacts } from '../call/mcp-call.js';
import type { DoorParts, HttpTurn } from '../listen/http-turn.js';
import { lengthOf, writeKept } from '../listen/write-kept.js';
import type { CallRecord } from '../observe/call-record.js';
import { writtenResult } from '../rpc/raw-json.js';
import type { Scope } from '../scope/scope.js';
import { legacyClient } from './direct-client.js';
import type { DirectSteps } from './direct-steps.js';

export interface DirectListParts extends DoorParts {
  readonly tools: ToolList;
  readonly identity: HubIdentity;
}

const METHOD = 'tools/list';
/** More than a request for a list takes. */
const MAX_BYTES = 512;

const isPlainId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    // The ordinary way says what is wrong with it.
    return undefined;
  }
};

/** The id of a request for the whole list that says nothing else; undefined for everything else. */
const idOfListing = (bytes: Buffer): RequestId | undefined => {
  if (bytes.length > MAX_BYTES || !bytes.includes(METHOD) || !isUtf8(bytes)) return undefined;
  const message = parsed(bytes);
  if (!isJsonObject(message) || message['jsonrpc'] !== '2.0' || message['method'] !== METHOD) return undefined;
  const { id, params, jsonrpc: _version, method: _method, ...others } = message;
  const saysMore = Object.keys(others).length > 0 || (params !== undefined && !isEmpty(params));
  return saysMore || !isPlainId(id) ? undefined : id;
};

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

const recordOf = (scope: Scope, { caller }: ClientFacts, startedAt: number): CallRecord => ({
  method: METHOD,
  scope: scope.id,
  principal: caller.principal,
  era: 'legacy',
  server: undefined,
  tool: undefined,
  outcome: 'ok',
  durationMs: performance.now() - startedAt,
  traceId: undefined,
  args: undefined,
});

/** The short way of tools/list in a legacy session: the answer is kept, so there is nothing to wait for. */
export class DirectList {
  readonly #parts: DirectListParts;
  readonly #steps: DirectSteps;

  constructor(parts: DirectListParts, steps: DirectSteps) {
    this.#parts = parts;
    this.#steps = steps;
  }

  /** Answers the turn, or leaves it to the ordinary way: then false. */
  take(turn: HttpTurn, body: Buffer): boolean {
    const { tracer, limits, maxResultBytes, tell } = this.#steps;
    const { response, request } = turn;
    if (tracer !== undefined || !limits.isEmpty || request.headers['traceparent'] !== undefined) return false;
    const startedAt = performance.now();
    const id = idOfListing(body);
    if (id === undefined) return false;
    const client = legacyClient(this.#parts, turn);
    if (typeof client === 'string' || client.session === undefined) return false;
    const { tools, upstream, identity, pace } = this.#parts;
    const { scope } = client.session;
    const asked = { params: {}, client: client.facts, scope };
    const pieces = writtenResult(
      id,
      tools.answer(asked, () => serverInfoOf(scope, upstream, identity)),
    );
    if (pieces === undefined || lengthOf(pieces) > maxResultBytes) return false;
    client.session.usedAt = startedAt;
    response.writeHead(200, [
      'content-type',
      'application/json',
      'cache-control',
      'no-store',
      'content-length',
      String(lengthOf(pieces)),
    ]);
    writeKept(response, pieces, pace);
    tell(recordOf(scope, client.facts, startedAt));
    return true;
  }
}
