import type { IncomingMessage, ServerResponse } from 'node:http';
import { toPlugboardError } from '@plugboard/contract';
import { type Caller, LOCAL_CALLER } from '../call/caller.js';
import { DirectRelay } from '../direct/direct-relay.js';
import type { DirectSteps } from '../direct/direct-steps.js';
import { eraOf } from '../downstream/era-of.js';
import { readMessages } from '../downstream/read-messages.js';
import type { Scopes } from '../scope/scopes.js';
import { type EndpointPath, endpointAt } from './endpoint-path.js';
import type { DoorParts, HttpTurn } from './http-turn.js';
import { postLegacy } from './post-legacy.js';
import { postModern } from './post-modern.js';
import { readBytes, textOf } from './read-body.js';
import { refuseMessage, refusePlainly } from './refuse.js';
import { openSse, takeSseMessage } from './sse-door.js';
import { endSession, openStream, refuseHttpMethod } from './stream-door.js';

/** Says on whose behalf a request comes; throws UNAUTHENTICATED or PERMISSION_DENIED. */
export type Identify = (request: IncomingMessage) => Caller | Promise<Caller>;

export interface McpListenerOptions extends DoorParts {
  readonly scopes: Scopes;
  readonly identify?: Identify | undefined;
  /** What is done around calls that take the short way; without it, none does. */
  readonly directSteps?: DirectSteps | undefined;
}

interface DirectDoorParts extends DoorParts {
  readonly direct: DirectRelay | undefined;
}

/** Serves the MCP endpoints straight from node:http. */
export interface McpListener {
  /** The MCP endpoint at this path; undefined when the path is somebody else's. */
  find(segments: readonly string[]): EndpointPath | undefined;
  handle(endpoint: EndpointPath, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const answerBody = async (parts: DoorParts, turn: HttpTurn, bytes: Buffer): Promise<void> => {
  const { request, response } = turn;
  try {
    const body = readMessages(textOf(bytes));
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

const post = async (parts: DirectDoorParts, turn: HttpTurn): Promise<void> => {
  let bytes: Buffer;
  try {
    bytes = await readBytes(turn.request, parts.bodyLimits);
  } catch (thrown) {
    refuseMessage(turn.request, turn.response, toPlugboardError(thrown));
    return;
  }
  const taken = parts.direct?.take(turn, bytes, (again, call) => answerBody(parts, again, call.bytes));
  if (taken !== true) await answerBody(parts, turn, bytes);
};

const streamable = async (parts: DirectDoorParts, turn: HttpTurn): Promise<void> => {
  switch (turn.request.method) {
    case 'POST':
      await post(parts, turn);
      return;
    case 'GET':
      openStream(parts, turn);
      return;
    case 'DELETE':
      endSession(parts, turn);
      return;
    default:
      refuseHttpMethod(turn);
  }
};

const DOORS: Readonly<Record<EndpointPath['door'], (parts: DirectDoorParts, turn: HttpTurn) => Promise<void> | void>> =
  {
    mcp: streamable,
    sse: openSse,
    messages: takeSseMessage,
  };

export const createMcpListener = (options: McpListenerOptions): McpListener => {
  const { scopes, identify, directSteps, onInternalError } = options;
  const parts = { ...options, direct: directSteps === undefined ? undefined : new DirectRelay(options, directSteps) };
  return {
    find: (segments) => endpointAt(scopes, segments),
    handle: async (endpoint, request, response) => {
      try {
        const caller = identify === undefined ? LOCAL_CALLER : await identify(request);
        await DOORS[endpoint.door](parts, { request, response, scope: endpoint.scope(caller), caller });
      } catch (thrown) {
        const error = toPlugboardError(thrown);
        if (error.code === 'INTERNAL') onInternalError(thrown);
        refusePlainly(request, response, error);
      }
    },
  };
};
