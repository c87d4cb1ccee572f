import type { IncomingMessage, ServerResponse } from 'node:http';
import { mediaTypeError, toPlugboardError } from '@plugboard/contract';
import { type Caller, LOCAL_CALLER } from '../../call/caller.js';
import { DirectList, type DirectListParts } from '../../fast-path/direct-list.js';
import { DirectRelay } from '../../fast-path/direct-relay.js';
import type { DirectSteps } from '../../pipeline/direct-steps.js';
import type { WrittenCall } from '../../fast-path/written-call.js';
import { eraOf, headerText } from '../../session/era-of.js';
import { readMessages, type ReadBody } from '../../session/read-messages.js';
import type { Scopes } from '../../offer/scope/scopes.js';
import { type EndpointPath, endpointAt } from './endpoint-path.js';
import { HeavyTurns } from '../../http/heavy-turns.js';
import { bodyRoom, type ListenerParts, type HttpTurn } from '../../session/http-turn.js';
import { SESSION_HEADER } from './post-initialize.js';
import { postLegacy } from './post-legacy.js';
import { postModern } from './post-modern.js';
import { takeBody, textOf } from '../../http/read-body.js';
import { refuseMessage, refusePlainly } from './refuse.js';
import { openSse, takeSseMessage } from './sse-endpoint.js';
import { endSession, openStream, refuseHttpMethod } from './session-stream.js';

export interface McpListenerOptions extends DirectListParts {
  readonly scopes: Scopes;
  /** What is done around calls on the fast path; without it, no call takes that path. */
  readonly directSteps?: DirectSteps | undefined;
}

interface DirectListenerParts extends ListenerParts {
  readonly direct: DirectRelay | undefined;
  readonly lists: DirectList | undefined;
  readonly heavy: HeavyTurns;
}

/** A larger body takes milliseconds to read. */
const HEAVY_BYTES = 128 * 1024;

/** Serves the MCP endpoints straight from node:http. */
export interface McpListener {
  /** The MCP endpoint at this path; undefined when the path is somebody else's. */
  find(segments: readonly string[]): EndpointPath | undefined;
  /** Takes care of the request from here on; it is answered whatever happens. */
  handle(endpoint: EndpointPath, request: IncomingMessage, response: ServerResponse, caller?: Caller): void;
}

/** The messages of a body. A large one is decoded and parsed in turns of its own. */
const messagesIn = async ({ heavy }: DirectListenerParts, { caller }: HttpTurn, bytes: Buffer): Promise<ReadBody> => {
  const text = await heavy.run(caller.principal, () => textOf(bytes));
  return heavy.run(caller.principal, () => readMessages(text));
};

const answerBody = async (parts: DirectListenerParts, unread: HttpTurn, bytes: Buffer): Promise<void> => {
  const turn: HttpTurn = { ...unread, bodyBytes: bytes.length };
  const { request, response } = turn;
  try {
    const body = bytes.length <= HEAVY_BYTES ? readMessages(textOf(bytes)) : await messagesIn(parts, turn, bytes);
    if (response.destroyed) return;
    const [message] = body.messages;
    if (!body.isBatch && message !== undefined && eraOf(message.message, request.headers) === 'modern') {
      await postModern(parts, turn, message);
    } else {
      await postLegacy(parts, turn, body);
    }
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL') parts.onInternalError(thrown);
    refuseMessage(request, response, error);
  }
};

/** Tells the session of a large body that waits; what is returned tells that it was read. */
const awaitsBody = ({ sessions }: DirectListenerParts, { request }: HttpTurn): (() => void) | undefined => {
  const id = headerText(request.headers, SESSION_HEADER);
  return id === undefined ? undefined : sessions.peek(id)?.session.awaitBody();
};

/** Nobody waits for the body here: what it becomes is answered when it is there. */
const post = (parts: DirectListenerParts, turn: HttpTurn): void => {
  const unread = mediaTypeError(turn.request.headers['content-type']);
  if (unread !== undefined) {
    refuseMessage(turn.request, turn.response, unread);
    return;
  }
  const goOn = (again: HttpTurn, { bytes }: WrittenCall): Promise<void> => answerBody(parts, again, bytes);
  takeBody(turn.request, parts.bodyLimits, {
    onBody: (bytes) => {
      const take = (): Promise<void> | undefined => {
        const obstacle = parts.direct === undefined ? 'off' : parts.direct.take(turn, bytes, goOn);
        if (obstacle === undefined || parts.lists?.take(turn, bytes) === true) return undefined;
        return answerBody(parts, parts.flows?.followsCalls === true ? { ...turn, obstacle } : turn, bytes);
      };
      if (bytes.length <= HEAVY_BYTES) {
        void take();
      } else {
        const wasRead = awaitsBody(parts, turn);
        parts.heavy.take(turn.caller.principal, () => {
          const answered = turn.response.destroyed ? undefined : take();
          if (wasRead !== undefined) void Promise.resolve(answered).finally(wasRead);
        });
      }
    },
    onFailure: (error) => refuseMessage(turn.request, turn.response, error),
    room: () => bodyRoom(parts, turn),
  });
};

const streamable = (parts: DirectListenerParts, turn: HttpTurn): Promise<void> | void => {
  switch (turn.request.method) {
    case 'POST':
      post(parts, turn);
      return;
    case 'GET':
      return openStream(parts, turn);
    case 'DELETE':
      return endSession(parts, turn);
    default:
      refuseHttpMethod(turn);
  }
};

const HANDLERS: Readonly<
  Record<EndpointPath['transport'], (parts: DirectListenerParts, turn: HttpTurn) => Promise<void> | void>
> = {
  mcp: streamable,
  sse: openSse,
  messages: takeSseMessage,
};

export const createMcpListener = (options: McpListenerOptions): McpListener => {
  const { scopes, directSteps, onInternalError } = options;
  const parts: DirectListenerParts = {
    ...options,
    direct: directSteps && new DirectRelay(options, directSteps),
    lists: directSteps && new DirectList(options, directSteps),
    heavy: new HeavyTurns(),
  };
  const refuse = (request: IncomingMessage, response: ServerResponse, thrown: unknown): void => {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL') onInternalError(thrown);
    refusePlainly(request, response, error);
  };
  return {
    find: (segments) => endpointAt(scopes, segments),
    handle: (endpoint, request, response, caller = LOCAL_CALLER) => {
      try {
        const work = HANDLERS[endpoint.transport](parts, { request, response, scope: endpoint.scope(caller), caller });
        work?.catch((thrown: unknown) => refuse(request, response, thrown));
      } catch (thrown) {
        refuse(request, response, thrown);
      }
    },
  };
};
