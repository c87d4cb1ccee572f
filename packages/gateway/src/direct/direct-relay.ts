import { LARGE_ANSWER_BYTES } from '@plugboard/client';
import { encodeHeaderValue } from '@plugboard/wire';
import type { CallFlow } from '../call/call-flow.js';
import { beginFlow } from '../call/flow-watch.js';
import { type DoorParts, type HttpTurn, paceOf } from '../listen/http-turn.js';
import { type CallTrace, traceOf } from './call-trace.js';
import { DirectCall } from './direct-call.js';
import { directClient, type DirectClient } from './direct-client.js';
import type { DirectObstacle, DirectSteps } from './direct-steps.js';
import { type DirectTarget, DirectTargets } from './direct-target.js';
import { writeCall } from './write-call.js';
import { WrittenCall } from './written-call.js';

type GoOn = (turn: HttpTurn, call: WrittenCall) => Promise<void>;

const fieldsOf = (turn: HttpTurn, { tool, line }: DirectTarget, { context }: CallTrace): string[] => {
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
 * The short way of a call whose client and server speak the same era over Streamable HTTP: found in its bytes, passed on
 * as bytes. Whatever needs more takes the ordinary way, from its beginning or from where it stands.
 */
export class DirectRelay {
  readonly #parts: DoorParts;
  readonly #steps: DirectSteps;
  readonly #targets: DirectTargets;

  constructor(parts: DoorParts, steps: DirectSteps) {
    this.#parts = parts;
    this.#steps = steps;
    this.#targets = new DirectTargets(parts.upstream);
  }

  /** Takes care of the turn; else says why it is left to the ordinary way. */
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
    const target = this.#targets.find(client.session?.scope ?? turn.scope, call.name, client);
    if (typeof target === 'string') return target;
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
        pace: () => paceOf(this.#parts, turn),
        leave,
        goOn,
        suspectTools,
      },
      startedAt,
    );
    const name = target.tool.tool.upstream_name;
    const message = {
      id,
      body: writeCall(call, { idText, name, context: trace.rewrites ? trace.context : undefined }),
      headers: fieldsOf(turn, target, trace),
      maxBytes: Math.min(this.#steps.maxResultBytes, LARGE_ANSWER_BYTES),
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
    flow.transport = 'streamable_http';
    return flow;
  }

  /** Undefined when a limit is reached; the ordinary way says which. */
  #enter({ facts }: DirectClient, { tool }: DirectTarget): (() => void) | undefined {
    try {
      return this.#steps.limits.enter({
        caller: facts.caller.principal,
        server: tool.server.id,
        tool: `${tool.server.id} ${tool.name}`,
      });
    } catch {
      return undefined;
    }
  }
}
