import type { JsonRpcRequest } from '@plugboard/wire';
import { HttpSession } from '../../session/http-session.js';
import { announceTo, factsFromInitialize, greet } from '../../session/open-session.js';
import { type Introduction, readInitialize } from '../../session/read-initialize.js';
import { seeOneWay } from '../../session/see-one-way.js';
import { writeFailure } from '../../rpc/failure-of.js';
import { writeResult } from '../../rpc/raw-json.js';
import type { ListenerParts, HttpTurn } from '../../session/http-turn.js';
import { PostReply } from './post-reply.js';

export const SESSION_HEADER = 'mcp-session-id';

const openSession = async (
  parts: ListenerParts,
  turn: HttpTurn,
  { id }: JsonRpcRequest,
  introduction: Introduction,
): Promise<void> => {
  const room = parts.memory?.room(turn.caller.principal);
  const opened = new HttpSession(turn.scope, factsFromInitialize(introduction, turn.caller), {
    room,
    mark: parts.fleet?.mark,
  });
  const result = await greet(parts, turn.scope, introduction, opened.session);
  if (turn.response.destroyed) {
    opened.session.end();
    return;
  }
  const holder = parts.sessions.add(opened);
  announceTo(parts, holder.session);
  await parts.revival?.keep(holder);
  const headers = { [SESSION_HEADER]: holder.session.id };
  const text = writeResult(id, result);
  seeOneWay(parts, turn.scope, text, 'sent');
  new PostReply({ response: turn.response, acceptsStream: false, headers }).finish({
    text: () => text,
  });
};

/** A legacy client introduces itself, and gets a session. */
export const postInitialize = async (parts: ListenerParts, turn: HttpTurn, request: JsonRpcRequest): Promise<void> => {
  let introduction: Introduction;
  seeOneWay(parts, turn.scope, request);
  try {
    introduction = readInitialize(request.params);
  } catch (thrown) {
    new PostReply({ response: turn.response, acceptsStream: false }).finish({
      text: () => writeFailure(request.id, thrown),
    });
    return;
  }
  await openSession(parts, turn, request, introduction);
};
