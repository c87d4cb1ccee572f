import { LightAbort } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { findRevision, type JsonRpcRequest } from '@plugboard/wire';
import type { ReplyChannel } from '../../call/mcp-call.js';
import { answerCall } from '../../session/answer-call.js';
import { takeNotification } from '../../session/client-notification.js';
import { headerText } from '../../session/era-of.js';
import type { HttpSession } from '../../session/http-session.js';
import { seeOneWay } from '../../session/see-one-way.js';
import { legacyCall } from '../../session/legacy-call.js';
import { statelessFacts } from '../../session/open-session.js';
import { checkBatch, type Message, type ReadBody } from '../../session/read-messages.js';
import { writeFailure } from '../../rpc/failure-of.js';
import { acceptsStream, type ListenerParts, type HttpTurn, backpressureOf, whenGone } from '../../session/http-turn.js';
import { postInitialize, SESSION_HEADER } from './post-initialize.js';
import { type AnswerStream, PostReply } from './post-reply.js';
import type { SseWriter } from '../../http/sse-writer.js';

/** A stream whose request has a longer id is not kept for a hub that continues the session. */
const MAX_KEPT_ID_CHARS = 256;

/** How soon a client whose stream broke should come back. */
const RETRY_MS = 1000;

/** The session that a request names; undefined when it names none. */
export const sessionOf = async (
  { sessions, revival }: ListenerParts,
  turn: HttpTurn,
): Promise<HttpSession | undefined> => {
  const id = headerText(turn.request.headers, SESSION_HEADER);
  if (id === undefined) return undefined;
  if (revival !== undefined && sessions.peek(id) === undefined) await revival.revive(id, turn);
  return sessions.find(id, turn.scope, turn.caller);
};

/** Refuses a version that nobody knows. */
export const checkVersion = ({ request }: HttpTurn): string | undefined => {
  const version = headerText(request.headers, 'mcp-protocol-version');
  if (version !== undefined && findRevision(version) === undefined) {
    throw new PlugboardError('INVALID_REQUEST', `MCP-Protocol-Version "${version.slice(0, 40)}" is not supported.`, {
      hint: 'Send the version that initialize agreed on.',
    });
  }
  return version;
};

/** Writes what a client gets that comes back for an answer which could not be kept. Remembers nothing else of the request. */
const lostAnswer =
  ({ id }: Pick<JsonRpcRequest, 'id'>): (() => string) =>
  () =>
    writeFailure(
      id,
      new PlugboardError(
        'OVERLOADED',
        'The client was disconnected when the response arrived, and there was no room to keep it.',
        { hint: 'Stay connected until the response arrives, or request less data at a time.' },
      ),
    );

/** What a client gets that comes back for an answer to a hub that restarted meanwhile. */
const interrupted = ({ id }: Pick<JsonRpcRequest, 'id'>): (() => string) | undefined => {
  if (String(id).length > MAX_KEPT_ID_CHARS) return undefined;
  return () =>
    writeFailure(
      id,
      new PlugboardError(
        'AMBIGUOUS_DELIVERY',
        'The hub restarted before the response arrived. The call may have been executed.',
        { hint: 'Check whether it was, then call again if it was not.' },
      ),
    );
};

/** A stream of a session has ids, and starts with one where the revision knows that. */
const resumable =
  (holder: HttpSession, request: Pick<JsonRpcRequest, 'id'>) =>
  (writer: SseWriter): AnswerStream => {
    const stream = holder.openStream(interrupted(request));
    if (holder.session.client.revision.features.primedStreams) {
      writer.event({ id: stream.prime(), data: '', retry: RETRY_MS });
    }
    stream.attach(writer);
    return {
      send: (data) => stream.send(data),
      sendLast: (data) => stream.send(data, lostAnswer(request)),
      end: () => holder.closeStream(stream),
      drained: () => stream.drained(),
    };
  };

/** The reply to a request in a session, as JSON until something must be streamed. */
export const replyInSession = (
  parts: ListenerParts,
  turn: HttpTurn,
  holder: HttpSession,
  request: Pick<JsonRpcRequest, 'id'>,
): PostReply =>
  new PostReply({
    response: turn.response,
    acceptsStream: acceptsStream(turn),
    backpressure: backpressureOf(parts, turn),
    wrap: holder.session.client.revision.features.resumableStreams ? resumable(holder, request) : undefined,
  });

const answerInSession = async (
  parts: ListenerParts,
  turn: HttpTurn,
  holder: HttpSession,
  request: JsonRpcRequest,
): Promise<void> => {
  const { session } = holder;
  const { signal, end } = session.begin(request.id);
  const reply = turn.started ?? replyInSession(parts, turn, holder, request);
  // With a stream that can be resumed, hanging up does not take the request back.
  const stop = whenGone(turn, () => {
    if (!reply.canResume) session.cancel({ requestId: request.id });
  });
  const deliver = reply.deliver.bind(reply);
  const channel: ReplyChannel = {
    notify: deliver,
    drained: reply.drained,
    ask: acceptsStream(turn) ? session.askVia(deliver) : session.channel.ask,
  };
  const { scope, client } = session;
  const call = legacyCall(request, {
    scope,
    client,
    session,
    reply: channel,
    signal,
    headers: turn.request.headers,
    sent: turn.sent,
    obstacle: turn.obstacle,
    bodyBytes: turn.bodyBytes,
  });
  try {
    const answer = await answerCall(parts, call);
    if (signal.aborted) reply.abandon();
    else reply.finish({ ...answer, status: 200 });
  } finally {
    reply.release();
    stop();
    end();
  }
};

const answerWithoutSession = async (parts: ListenerParts, turn: HttpTurn, request: JsonRpcRequest): Promise<void> => {
  const gone = new LightAbort();
  const stop = whenGone(turn, () => gone.abort());
  const reply = new PostReply({
    response: turn.response,
    acceptsStream: false,
    backpressure: backpressureOf(parts, turn),
  });
  const client = statelessFacts(checkVersion(turn), turn.caller);
  const channel: ReplyChannel = { notify: () => undefined };
  const options = {
    scope: turn.scope,
    client,
    session: undefined,
    reply: channel,
    signal: gone.signal,
    headers: turn.request.headers,
    sent: turn.sent,
    obstacle: turn.obstacle,
    bodyBytes: turn.bodyBytes,
  };
  try {
    reply.finish({ ...(await answerCall(parts, legacyCall(request, options))), status: 200 });
  } finally {
    stop();
  }
};

const accept = ({ response }: HttpTurn): void => {
  response.writeHead(202, { 'content-length': 0 }).end();
};

const takeOneWay = (parts: ListenerParts, holder: HttpSession | undefined, message: Message): void => {
  if (holder === undefined || message.kind === 'request') return;
  seeOneWay(parts, holder.session.scope, message.message);
  if (message.kind === 'notification') takeNotification(parts.upstream, holder.session, message.message);
  else holder.session.settle(message.message);
};

/** Several messages at once: one answer with all responses. Questions meanwhile go the general way. */
const postBatch = async (
  parts: ListenerParts,
  turn: HttpTurn,
  holder: HttpSession | undefined,
  messages: readonly Message[],
): Promise<void> => {
  const client = holder?.session.client ?? statelessFacts(checkVersion(turn), turn.caller);
  checkBatch(client.revision);
  const gone = new AbortController();
  const stop = whenGone(turn, () => gone.abort());
  const reply = holder?.session.channel ?? { notify: () => undefined };
  const scope = holder?.session.scope ?? turn.scope;
  const options = { scope, client, session: holder?.session, reply, signal: gone.signal };
  try {
    for (const message of messages) takeOneWay(parts, holder, message);
    const requests = messages.flatMap((message) => (message.kind === 'request' ? [message.message] : []));
    const answers = await Promise.all(requests.map((request) => answerCall(parts, legacyCall(request, options))));
    if (answers.length === 0) {
      accept(turn);
    } else {
      new PostReply({
        response: turn.response,
        acceptsStream: false,
        backpressure: backpressureOf(parts, turn),
      }).finish({
        text: () => `[${answers.map(({ text }) => text()).join(',')}]`,
      });
    }
  } finally {
    stop();
  }
};

/** One POST of a legacy client, with or without a session. */
export const postLegacy = async (
  parts: ListenerParts,
  turn: HttpTurn,
  { messages, isBatch }: ReadBody,
): Promise<void> => {
  const [message] = messages;
  if (!isBatch && message?.kind === 'request' && message.message.method === 'initialize') {
    await postInitialize(parts, turn, message.message);
    return;
  }
  checkVersion(turn);
  const holder = await sessionOf(parts, turn);
  if (isBatch || message === undefined) {
    await postBatch(parts, turn, holder, messages);
  } else if (message.kind !== 'request') {
    takeOneWay(parts, holder, message);
    accept(turn);
  } else if (holder === undefined) {
    await answerWithoutSession(parts, turn, message.message);
  } else {
    await answerInSession(parts, turn, holder, message.message);
  }
};
