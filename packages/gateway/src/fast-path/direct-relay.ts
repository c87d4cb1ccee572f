import { LARGE_ANSWER_BYTES } from '@plugboard/client';
import { encodeHeaderValue } from '@plugboard/wire';
import type { CallFlow } from '../call/call-flow.js';
import { beginFlow } from '../call/flow-watch.js';
import { toolKey } from '../call/tool-key.js';
import { type ListenerParts, type HttpTurn, backpressureOf } from '../session/http-turn.js';
import { type CallTrace, traceOf } from './call-trace.js';
import { DirectCall } from './direct-call.js';
import { directClient, type DirectClient } from './direct-client.js';
import type { DirectSteps } from '../pipeline/direct-steps.js';
import type { DirectObstacle } from '../call/relay-path.js';
import { type DirectTarget, DirectTargets } from './direct-target.js';
import { writeCall } from './write-call.js';
import { WrittenCall } from './written-call.js';

type GoOn = (turn: HttpTurn, call: WrittenCall) => Promise<void>;

const hasLineBreak = (bytes: Buffer): boolean => bytes.includes(0x0a) || bytes.includes(0x0d);

const NO_FIELDS: readonly string[] = [];

const fieldsOf = (turn: HttpTurn, { tool, line }: DirectTarget, { context }: CallTrace): readonly string[] => {
  if (line.transport !== 'streamable_http') return NO_FIELDS;
  const fields: string[] = [];
  if (line.era === 'modern') {
    fields.push('Mcp-Method', 'tools/call', 'Mcp-Name', encodeHeaderValue(tool.tool.upstream_name));
  }
  if (context !== undefined) {
    fields.push('traceparent', context.traceparent);
    if (context.tracestate !== undefined) fields.push('tracestate', context.tracestate);
    if (context.baggage !== undefined) fields.push('baggage', context.baggage);
  }
  const { agent } = turn.caller;
  if (agent !== undefined) fields.push('x-agent-id', agent);
  return fields;
};

/**
 * The fast path of a call whose client speaks Streamable HTTP: found in its bytes, passed on as bytes, between eras with
 * another envelope. Whatever needs more takes the full path, from its beginning or from where it stands.
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

  /** Takes care of the turn; else says why the full path must. */
  take(turn: HttpTurn, bytes: Buffer, goOn: GoOn): DirectObstacle | undefined {
    const startedAt = performance.now();
    const call = WrittenCall.read(bytes);
    if (call === undefined) {
      if (bytes.includes('"tools/call"')) this.#steps.onPath?.('message');
      return 'message';
    }
    const obstacle = this.#send(turn, call, { goOn, startedAt });
    if (obstacle !== undefined) this.#steps.onPath?.(obstacle);
    return obstacle;
  }

  #send(
    turn: HttpTurn,
    call: WrittenCall,
    { goOn, startedAt }: { readonly goOn: GoOn; readonly startedAt: number },
  ): DirectObstacle | undefined {
    const { maxArgumentBytes, tracer } = this.#steps;
    const args = call.spans.arguments;
    if (args !== undefined && args.end - args.start > maxArgumentBytes) return 'arguments';
    const client = directClient(this.#parts, turn, call);
    if (typeof client === 'string') return client;
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
    const suspectTools = (): void => this.#parts.upstream.suspectTools(target.tool.server.id);
    const relayed = new DirectCall(
      {
        turn,
        call,
        client,
        target,
        trace,
        flow,
        steps: this.#steps,
        idText,
        backpressure: () => backpressureOf(this.#parts, turn),
        leave,
        goOn,
        suspectTools,
      },
      startedAt,
    );
    const name = target.tool.tool.upstream_name;
    const message = {
      id,
      body: writeCall(call, {
        idText,
        name,
        context: trace.rewrites ? trace.context : undefined,
        added: target.bridge?.added,
        ending: target.line.ending,
      }),
      headers: fieldsOf(turn, target, trace),
      maxBytes: Math.min(this.#steps.maxResultBytes, LARGE_ANSWER_BYTES),
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
  #enter({ facts }: DirectClient, { tool }: DirectTarget): (() => void) | undefined {
    try {
      return this.#steps.limits.enter({
        caller: facts.caller.principal,
        server: tool.server.id,
        tool: toolKey(tool),
      });
    } catch {
      return undefined;
    }
  }
}
