import type { IncomingMessage, ServerResponse } from 'node:http';
import { IDEMPOTENCY_HEADER, mediaTypeError, type PlugboardError, toPlugboardError } from '@plugboard/contract';
import { type Caller, LOCAL_CALLER } from '../../call/caller.js';
import type { Scope } from '../../call/scope.js';
import type { SentCall } from '../../call/sent-call.js';
import { DirectRelay, type FullPath } from '../../fast-path/direct-relay.js';
import { errorAnswer, type HttpAnswer, type HttpRequest } from '../../http/http-request.js';
import { takeBody, textOf } from '../../http/read-body.js';
import type { Scopes } from '../../offer/scope/scopes.js';
import type { DirectSteps } from '../../pipeline/direct-steps.js';
import { bodyRoom, type HttpTurn, type ListenerParts, whenGone } from '../../session/http-turn.js';
import type { ToolAddress } from './server-endpoints.js';

export interface ToolCallListenerOptions extends ListenerParts {
  readonly scopes: Scopes;
  /** What is done around calls on the fast path; without it, no call takes that path. */
  readonly directSteps?: DirectSteps | undefined;
  /** Answers on the full path. */
  readonly answer: (request: HttpRequest) => Promise<HttpAnswer>;
}

/** Serves plain calls of tools, `POST /servers/{name}/tools/{tool}`, straight from node:http. */
export interface ToolCallListener {
  /** The tool that a POST to this path calls; undefined when the path is somebody else's. */
  find(segments: readonly string[]): ToolAddress | undefined;
  /** Takes care of the request from here on; it is answered whatever happens. */
  handle(address: ToolAddress, request: IncomingMessage, response: ServerResponse, caller?: Caller): void;
}

/** Larger arguments take milliseconds to read, also on the fast path. */
const MAX_DIRECT_BYTES = 128 * 1024;

const addressAt = ([area, name, tools, tool, ...more]: readonly string[]): ToolAddress | undefined => {
  if (name === undefined || tools !== 'tools' || tool === undefined || more.length > 0) return undefined;
  if (area === 'servers') return { kind: 'server', name, tool };
  return area === 'toolsets' ? { kind: 'toolset', name, tool } : undefined;
};

const segmentsOf = ({ kind, name, tool }: ToolAddress): readonly string[] => [`${kind}s`, name, 'tools', tool];

const write = (request: IncomingMessage, response: ServerResponse, { status, headers, body }: HttpAnswer): void => {
  if (response.destroyed || response.headersSent) return;
  // What is left of a refused body must not be read as the next request.
  const close = request.complete ? {} : { connection: 'close' };
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), ...close });
  response.end(body);
};

interface Called {
  readonly address: ToolAddress;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly body: Buffer;
}

interface Parts extends ToolCallListenerOptions {
  readonly direct: DirectRelay | undefined;
}

const refuse = (options: Parts, { request, response }: Omit<Called, 'body'>, thrown: unknown) => {
  const error: PlugboardError = toPlugboardError(thrown);
  if (error.code === 'INTERNAL') options.onInternalError(thrown);
  write(request, response, errorAnswer(error));
};

/** The full path, from the beginning or with what was sent already. */
const answer = async (options: Parts, called: Called, sent?: SentCall): Promise<void> => {
  const { address, request, response, caller, body } = called;
  const gone = new AbortController();
  const stop = whenGone(called, () => gone.abort());
  try {
    const segments = segmentsOf(address);
    const asked = {
      method: 'POST',
      segments,
      body: textOf(body),
      idempotencyKey: request.headers[IDEMPOTENCY_HEADER],
      caller,
      signal: gone.signal,
      sent,
    };
    write(request, response, await options.answer(asked));
  } catch (thrown) {
    refuse(options, called, thrown);
  } finally {
    stop();
  }
};

/** Undefined when there is none for this caller; the full path says why. */
const scopeOf = ({ scopes }: Parts, { address: { kind, name }, caller }: Called): Scope | undefined => {
  try {
    return scopes.for(kind === 'server' ? scopes.server(name, caller) : scopes.toolset(name, caller), caller);
  } catch {
    return undefined;
  }
};

const call = (options: Parts, called: Called): void => {
  const { address, request, response, caller, body } = called;
  const unread = body.length === 0 ? undefined : mediaTypeError(request.headers['content-type']);
  if (unread !== undefined) {
    refuse(options, called, unread);
    return;
  }
  const scope = body.length > MAX_DIRECT_BYTES ? undefined : scopeOf(options, called);
  if (options.direct !== undefined && scope !== undefined) {
    const turn: HttpTurn = { request, response, scope, caller };
    const full: FullPath = { goOn: ({ sent }) => answer(options, called, sent), openReply: () => undefined };
    if (options.direct.takeTool(turn, address.tool, body, full) === undefined) return;
  }
  void answer(options, called);
};

export const createToolCallListener = (options: ToolCallListenerOptions): ToolCallListener => {
  const { directSteps } = options;
  const parts: Parts = { ...options, direct: directSteps && new DirectRelay(options, directSteps) };
  return {
    find: addressAt,
    handle: (address, request, response, caller = LOCAL_CALLER) => {
      const known = { address, request, response, caller };
      takeBody(request, parts.bodyLimits, {
        onBody: (body) => call(parts, { ...known, body }),
        onFailure: (error) => refuse(parts, known, error),
        room: () => bodyRoom(parts, known),
      });
    },
  };
};
