import { LightAbort } from '@plugboard/base';
import { toPlugboardError } from '@plugboard/contract';
import type { JsonRpcRequest } from '@plugboard/wire';
import { seeOneWay } from '../../session/see-one-way.js';
import { answerCall } from '../../session/answer-call.js';
import type { Message } from '../../session/read-messages.js';
import { modernCall } from '../../session/modern-call.js';
import {
  acceptsStream,
  type ListenerParts,
  type HttpTurn,
  backpressureOf,
  type StartedReply,
  whenGone,
} from '../../session/http-turn.js';
import { PostReply } from './post-reply.js';
import { refuseMessage } from './refuse.js';
import { RpcRefusal } from '../../rpc/rpc-refusal.js';

/** The reply to a request, as JSON until something must be streamed. */
export const modernReply = (parts: ListenerParts, turn: HttpTurn): PostReply =>
  new PostReply({
    response: turn.response,
    acceptsStream: acceptsStream(turn),
    backpressure: backpressureOf(parts, turn),
  });

/** Closing the stream cancels the request, so there is nothing to await after that. */
const answerRequest = async (parts: ListenerParts, turn: HttpTurn, request: JsonRpcRequest): Promise<void> => {
  const gone = new LightAbort();
  let reply: StartedReply | undefined;
  const call = modernCall(request, {
    caller: turn.caller,
    headers: turn.request.headers,
    scope: turn.scope,
    reply: { notify: (notification) => reply?.deliver(notification), drained: () => reply?.drained() },
    signal: gone.signal,
    sent: turn.sent,
    obstacle: turn.obstacle,
    bodyBytes: turn.bodyBytes,
  });
  parts.paramHeaders.check(call);
  reply = turn.started ?? modernReply(parts, turn);
  const stop = whenGone(turn, () => gone.abort());
  try {
    reply.finish(await answerCall(parts, call));
  } finally {
    reply.release();
    stop();
  }
};

/** One POST of a modern client: exactly one request or notification. */
export const postModern = async (parts: ListenerParts, turn: HttpTurn, message: Message): Promise<void> => {
  switch (message.kind) {
    case 'request':
      try {
        await answerRequest(parts, turn, message.message);
      } catch (thrown) {
        refuseMessage(turn.request, turn.response, toPlugboardError(thrown), message.message.id);
      }
      return;
    case 'notification':
      seeOneWay(parts, turn.scope, message.message);
      turn.response.writeHead(202, { 'content-length': 0 }).end();
      return;
    case 'result':
    case 'failure':
      refuseMessage(
        turn.request,
        turn.response,
        new RpcRefusal(
          'INVALID_REQUEST',
          { code: -32600, message: 'Clients of this revision send no responses.' },
          400,
        ),
      );
  }
};
