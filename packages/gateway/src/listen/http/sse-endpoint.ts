import { mediaTypeError, PlugboardError, toPlugboardError } from '@plugboard/contract';
import { checkBatch, readMessages } from '../../session/read-messages.js';
import { SseSession } from '../../session/sse-session.js';
import { bodyRoom, type ListenerParts, type HttpTurn, backpressureOf } from '../../session/http-turn.js';
import { readBody } from '../../http/read-body.js';
import { refuseMessage, refusePlainly } from './refuse.js';
import { SseWriter } from '../../http/sse-writer.js';

const SESSION_PARAMETER = 'sessionId';

const refuseMethod = ({ request, response }: HttpTurn, allow: string): void => {
  const error = new PlugboardError(
    'METHOD_NOT_ALLOWED',
    `This path accepts ${allow}, not ${request.method ?? 'this'}.`,
    {
      hint: 'HTTP+SSE: GET the stream, then POST to the endpoint that it names.',
    },
  );
  refusePlainly(request, response, error, { allow });
};

/** The path beside the stream that takes its messages. */
const messagesPath = (target: string): string => target.replace(/[?#].*$/u, '').replace(/\/sse\/?$/u, '/messages');

/** GET /sse: a session that lives as long as this stream. The first event says where to send messages. */
export const openSse = (parts: ListenerParts, turn: HttpTurn): void => {
  if (turn.request.method !== 'GET') {
    refuseMethod(turn, 'GET');
    return;
  }
  const { response, scope, caller } = turn;
  let writer: SseWriter | undefined;
  const holder = parts.sseSessions.add(
    new SseSession(
      { ...parts, transport: 'sse' },
      {
        scope,
        caller,
        mark: parts.fleet?.mark,
        write: (text) => writer?.event({ event: 'message', data: text }),
        drained: () => writer?.drained(),
      },
    ),
  );
  writer = new SseWriter(response, backpressureOf(parts, turn));
  holder.session.openStreams += 1;
  holder.session.onEnd(() => writer?.end());
  response.once('close', () => holder.session.end());
  const path = messagesPath(turn.request.url ?? '/sse');
  writer.event({ event: 'endpoint', data: `${path}?${SESSION_PARAMETER}=${holder.session.id}` });
};

/** POST /messages: one message of a session; its answer comes on the stream. */
export const takeSseMessage = async (parts: ListenerParts, turn: HttpTurn): Promise<void> => {
  const { request, response, scope, caller } = turn;
  if (request.method !== 'POST') {
    refuseMethod(turn, 'POST');
    return;
  }
  const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get(SESSION_PARAMETER);
  const holder = parts.sseSessions.find(id ?? '', scope, caller);
  const unread = mediaTypeError(request.headers['content-type']);
  if (unread !== undefined) {
    refuseMessage(request, response, unread);
    return;
  }
  try {
    const { messages, isBatch } = readMessages(await readBody(request, parts.bodyLimits, () => bodyRoom(parts, turn)));
    if (isBatch) checkBatch(holder.session.client.revision);
    response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
    for (const message of messages) void holder.take(message);
  } catch (thrown) {
    refuseMessage(request, response, toPlugboardError(thrown));
  }
};
