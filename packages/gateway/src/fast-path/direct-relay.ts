import { FAST_ANSWER_BYTES } from '@plugboard/client';
import { IDEMPOTENCY_HEADER } from '@plugboard/contract';
import { encodeHeaderValue, LATEST_LEGACY, PLAIN_METHODS } from '@plugboard/wire';
import type { CallFlow } from '../call/call-flow.js';
import { beginFlow } from '../call/flow-watch.js';
import { toolKey } from '../call/tool-key.js';
import { type ListenerParts, type HttpTurn, backpressureOf, type StartedReply } from '../session/http-turn.js';
import { statelessFacts } from '../session/open-session.js';
import { type CallTrace, traceOf } from './call-trace.js';
import { DirectCall } from './direct-call.js';
import { directClient, type DirectClient } from './direct-client.js';
import type { DirectSteps } from '../pipeline/direct-steps.js';
import type { DirectObstacle } from '../call/relay-path.js';
import { type DirectTarget, DirectTargets } from './direct-target.js';
import type { AnswerForm } from './write-answer.js';
import { writeCall } from './write-call.js';
import { WrittenCall } from './written-call.js';

/** What the full path does for a call that was sent on the fast path. */
export interface FullPath {
  /** Answers the turn, beginning with what was sent. */
  readonly goOn: (turn: HttpTurn, call: WrittenCall) => Promise<void>;
  /** The reply in which progress is told; undefined where nothing can be told. */
  readonly openReply: (client: DirectClient, call: WrittenCall) => StartedReply | undefined;
}

/** Who calls, and how the answer goes back. */
interface Taken {
  readonly client: DirectClient;
  readonly form: AnswerForm;
  readonly full: FullPath;
  readonly startedAt: number;
}

const hasLineBreak = (bytes: Buffer): boolean => bytes.includes(0x0a) || bytes.includes(0x0d);

/** Where the method of a request is looked for that is only to be counted: a search through megabytes blocks everybody. */
const METHOD_WITHIN_BYTES = 64 * 1024;

const NO_FIELDS: readonly string[] = [];

const fieldsOf = (
  { caller: { agent } }: HttpTurn,
  { method, subject }: WrittenCall,
  { tool, line }: DirectTarget,
  { context }: CallTrace,
): readonly string[] => {
  if (line.transport !== 'streamable_http') return NO_FIELDS;
  const fields: string[] = [];
  if (line.era === 'modern') {
    const name = tool?.tool.upstream_name ?? subject;
    fields.push('Mcp-Method', method);
    if (name !== undefined) fields.push('Mcp-Name', encodeHeaderValue(name));
  }
  if (context !== undefined) {
    fields.push('traceparent', context.traceparent);
    if (context.tracestate !== undefined) fields.push('tracestate', context.tracestate);
    if (context.baggage !== undefined) fields.push('baggage', context.baggage);
  }
  if (agent !== undefined) fields.push('x-agent-id', agent);
  return fields;
};

/**
 * The fast path of a request whose client speaks Streamable HTTP: found in its bytes, passed on as bytes, between eras with
 * another envelope. The table of `scanRequest` says which methods it takes. Whatever needs more takes the full path, from its beginning or from where it stands.
 */
export class DirectRelay {
  readonly #parts: ListenerParts;
  readonly #steps: DirectSteps;
  readonly #targets: DirectTargets;

  constructor(parts: ListenerParts, steps: DirectSteps) {
    this.#parts = parts;
    this.#steps = steps;
    this.#targets = new DirectTargets(parts.upstream);
  }

  /** Takes care of the turn; else says why the full path must. @param call what `WrittenCall.read` found in the bytes */
  take(turn: HttpTurn, bytes: Buffer, call: WrittenCall | undefined, full: FullPath): DirectObstacle | undefined {
    const startedAt = performance.now();
    if (call === undefined) {
      const beginning = bytes.subarray(0, METHOD_WITHIN_BYTES);
      if (PLAIN_METHODS.some((method) => beginning.includes(`"${method}"`))) this.#steps.onPath?.('message');
      return 'message';
    }
    const client = directClient(this.#parts, turn, call);
    return this.#counted(
      typeof client === 'string' ? client : this.#send(turn, call, { client, form: 'message', full, startedAt }),
    );
  }

  /** The same for plain REST: the body is the arguments of the tool, and the answer is the result. */
  takeTool(turn: HttpTurn, name: string, args: Buffer, full: FullPath): DirectObstacle | undefined {
    const startedAt = performance.now();
    const call = WrittenCall.ofTool(name, args);
    if (call === undefined) return this.#counted('message');
    const client = { facts: statelessFacts(LATEST_LEGACY, turn.caller), session: undefined };
    return this.#counted(this.#send(turn, call, { client, form: 'result', full, startedAt }));
  }

  #counted(obstacle: DirectObstacle | undefined): DirectObstacle | undefined {
    if (obstacle !== undefined) this.#steps.onPath?.(obstacle);
    return obstacle;
  }

  #send(turn: HttpTurn, call: WrittenCall, { client, form, full, startedAt }: Taken): DirectObstacle | undefined {
    const { maxArgumentBytes, tracer, keepsResults } = this.#steps;
    const isCall = call.method === 'tools/call';
    if (keepsResults === true && isCall) return 'recorded';
    if (isCall && turn.request.headers[IDEMPOTENCY_HEADER] !== undefined) return 'idempotency-key';
    const args = isCall ? call.spans.arguments : undefined;
    if (args !== undefined && args.end - args.start > maxArgumentBytes) return 'arguments';
    const target = this.#targets.find(client.session?.scope ?? turn.scope, call, client);
    if (typeof target === 'string') return target;
    // Between two lines there may be none within a message.
    if (target.line.transport === 'stdio' && hasLineBreak(call.bytes)) return 'message';
    const leave = this.#enter(client, target);
    if (leave === undefined) return 'limit';
    const trace = traceOf(call, turn.request.headers, tracer);
    // Ids of clients come twice over one connection of several, and others can guess them.
    const id = target.line.nextId();
    const idText = String(id);
    const flow = this.#flowOf(call, client, target);
    flow?.sent(id, 1);
    const suspectTools = (): void => this.#parts.upstream.suspectTools(target.server.id);
    const relayed = new DirectCall(
      {
        turn,
        call,
        form,
        client,
        target,
        trace,
        flow,
        steps: this.#steps,
        idText,
        backpressure: () => backpressureOf(this.#parts, turn),
        leave,
        full,
        suspectTools,
      },
      startedAt,
    );
    const name = target.tool?.tool.upstream_name;
    const message = {
      id,
      body: writeCall(call, {
        idText,
        name,
        context: trace.rewrites ? trace.context : undefined,
        added: target.bridge?.added,
        ending: target.line.ending,
      }),
      headers: fieldsOf(turn, call, target, trace),
      maxBytes: Math.min(this.#steps.maxResultBytes, FAST_ANSWER_BYTES),
      wantsLog: target.line.era === 'legacy' || target.bridge !== undefined || call.spans.logLevel !== undefined,
    };
    return relayed.send(message) ? undefined : 'limit';
  }

  /** Undefined while nobody follows requests. */
  #flowOf({ id }: WrittenCall, { facts, session }: DirectClient, { line }: DirectTarget): CallFlow | undefined {
    const { flows } = this.#steps;
    if (flows?.followsCalls !== true) return undefined;
    const flow = beginFlow(flows, { id, client: facts, session });
    flow.path = 'fast';
    flow.upstreamEra = line.era;
    flow.transport = line.transport;
    return flow;
  }

  /** Undefined when a limit is reached; the full path says which. */
  #enter({ facts }: DirectClient, { server, tool }: DirectTarget): (() => void) | undefined {
    try {
      return this.#steps.limits.enter({
        caller: facts.caller.principal,
        server: server.id,
        tool: toolKey(tool),
      });
    } catch {
      return undefined;
    }
  }
}
