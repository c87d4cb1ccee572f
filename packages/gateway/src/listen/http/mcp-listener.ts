import type { IncomingMessage, ServerResponse } from 'node:http';
import { mediaTypeError, toPlugboardError } from '@plugboard/contract';
import { isJsonObject, type RequestId } from '@plugboard/wire';
import { type Caller, LOCAL_CALLER } from '../../call/caller.js';
import { markOf, markOfTask } from '../../call/fleet-side.js';
import type { DirectClient } from '../../fast-path/direct-client.js';
import { DirectRelay, type FullPath } from '../../fast-path/direct-relay.js';
import { WrittenCall } from '../../fast-path/written-call.js';
import { type OwnAnswerParts, OwnAnswers } from '../../fast-path/own-answers.js';
import type { DirectSteps } from '../../pipeline/direct-steps.js';
import { LargeIntroduction } from '../../session/check-large-body.js';
import { eraOf, headerText } from '../../session/era-of.js';
import { type InTurns, readLargeBody } from '../../session/read-large-body.js';
import { type Message, readMessages } from '../../session/read-messages.js';
import { textAt } from '../../rpc/members.js';
import type { Scopes } from '../../offer/scope/scopes.js';
import { type EndpointPath, endpointAt } from './endpoint-path.js';
import { HeavyTurns } from '../../http/heavy-turns.js';
import { bodyRoom, type ListenerParts, type HttpTurn, type StartedReply } from '../../session/http-turn.js';
import { SESSION_HEADER } from './post-initialize.js';
import { postLegacy, replyInSession } from './post-legacy.js';
import { modernReply, postModern } from './post-modern.js';
import { takeBody, textOf } from '../../http/read-body.js';
import { refuseMessage, refusePlainly } from './refuse.js';
import { openSse, takeSseMessage } from './sse-endpoint.js';
import { endSession, openStream, refuseHttpMethod } from './session-stream.js';

export interface McpListenerOptions extends OwnAnswerParts {
  readonly scopes: Scopes;
  /** What is done around calls on the fast path; without it, no call takes that path. */
  readonly directSteps?: DirectSteps | undefined;
}

interface DirectListenerParts extends ListenerParts {
  readonly direct: DirectRelay | undefined;
  readonly own: OwnAnswers | undefined;
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

/** A call that waits for its client's answers waits in one process, and so does a task: what is about them goes there. */
const isAnsweredElsewhere = async (
  { fleet }: DirectListenerParts,
  turn: HttpTurn,
  message: Message,
  bytes: Buffer,
): Promise<boolean> => {
  if (fleet === undefined || message.kind !== 'request') return false;
  const { params } = message.message;
  if (!isJsonObject(params)) return false;
  const mark = markOf(textAt(params, 'requestState') ?? '') ?? markOfTask(textAt(params, 'taskId') ?? '');
  return mark !== undefined && mark !== fleet.mark && (await fleet.passOn(mark, turn, bytes));
};

/** Pieces of work for one caller, each in a turn of its own. */
const inTurns =
  ({ heavy }: DirectListenerParts, { caller }: HttpTurn): InTurns =>
  (work) =>
    heavy.run(caller.principal, work);

const answerBody = async (parts: DirectListenerParts, unread: HttpTurn, bytes: Buffer): Promise<void> => {
  const turn: HttpTurn = { ...unread, bodyBytes: bytes.length };
  const { request, response } = turn;
  try {
    const body =
      bytes.length <= HEAVY_BYTES ? readMessages(textOf(bytes)) : await readLargeBody(bytes, inTurns(parts, turn));
    if (response.destroyed) return;
    const [message] = body.messages;
    if (!body.isBatch && message !== undefined && eraOf(message.message, request.headers) === 'modern') {
      if (await isAnsweredElsewhere(parts, turn, message, bytes)) return;
      await postModern(parts, turn, message);
    } else {
      await postLegacy(parts, turn, body);
    }
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL') parts.onInternalError(thrown);
    refuseMessage(request, response, error, error instanceof LargeIntroduction ? error.requestId : null);
  }
};

/** Tells the session of a large body that waits; what is returned tells that it was read. */
const awaitsBody = ({ sessions }: DirectListenerParts, { request }: HttpTurn): (() => void) | undefined => {
  const id = headerText(request.headers, SESSION_HEADER);
  return id === undefined ? undefined : sessions.peek(id)?.session.awaitBody();
};

/** The reply that the full path would open for a request that progress is told of; undefined where nothing can be told. */
const openReply = (
  parts: DirectListenerParts,
  turn: HttpTurn,
  { facts, session }: DirectClient,
  id: RequestId,
): StartedReply | undefined => {
  if (facts.revision.era === 'modern') return modernReply(parts, turn);
  const holder = session && parts.sessions.peek(session.id);
  return holder && replyInSession(parts, turn, holder, { id });
};

/** Nobody waits for the body here: what it becomes is answered when it is there. */
const post = (parts: DirectListenerParts, turn: HttpTurn): void => {
  const unread = mediaTypeError(turn.request.headers['content-type']);
  if (unread !== undefined) {
    refuseMessage(turn.request, turn.response, unread);
    return;
  }
  const full: FullPath = {
    goOn: (again, { bytes }) => answerBody(parts, again, bytes),
    openReply: (client, { id }) => openReply(parts, turn, client, id),
  };
  takeBody(turn.request, parts.bodyLimits, {
    onBody: (bytes) => {
      const { direct } = parts;
      const take = (call: WrittenCall | undefined): Promise<void> | undefined => {
        const obstacle = direct === undefined ? 'off' : direct.take(turn, bytes, call, full);
        if (obstacle === undefined || parts.own?.take(turn, bytes) === true) return undefined;
        return answerBody(parts, parts.flows?.followsCalls === true ? { ...turn, obstacle } : turn, bytes);
      };
      const read = (): WrittenCall | undefined => (direct === undefined ? undefined : WrittenCall.read(bytes));
      if (bytes.length <= HEAVY_BYTES) {
        void take(read());
        return;
      }
      const { principal } = turn.caller;
      const wasRead = awaitsBody(parts, turn);
      // To scan a large body and to send it on are two pieces of work.
      parts.heavy.take(principal, () => {
        const call = turn.response.destroyed ? undefined : read();
        parts.heavy.take(principal, () => {
          const answered = turn.response.destroyed ? undefined : take(call);
          if (wasRead !== undefined) void Promise.resolve(answered).finally(wasRead);
        });
      });
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
    own: directSteps && new OwnAnswers(options, directSteps),
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
        // `bodyBytes` is filled in later: to add a member to a copy costs a multiple of replacing it.
        const turn: HttpTurn = { request, response, scope: endpoint.scope(caller), caller, bodyBytes: undefined };
        const work = HANDLERS[endpoint.transport](parts, turn);
        work?.catch((thrown: unknown) => refuse(request, response, thrown));
      } catch (thrown) {
        refuse(request, response, thrown);
      }
    },
  };
};
