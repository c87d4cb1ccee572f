import { PlugboardError } from '@plugboard/contract';
import { headerText } from '../../session/era-of.js';
import { type ListenerParts, type HttpTurn, backpressureOf } from '../../session/http-turn.js';
import { SESSION_HEADER } from './post-initialize.js';
import { checkVersion, sessionOf } from './post-legacy.js';
import { refusePlainly } from './refuse.js';
import { SseWriter } from '../../http/sse-writer.js';

const needsSession = ({ request, response }: HttpTurn): void => {
  const error = new PlugboardError(
    'METHOD_NOT_ALLOWED',
    `This endpoint accepts POST, not ${request.method ?? 'this'}.`,
    {
      hint: 'POST one JSON-RPC message; GET and DELETE are for sessions that initialize opened.',
    },
  );
  refusePlainly(request, response, error, { allow: 'POST' });
};

/** GET: the stream of a legacy session for what belongs to no request, or the rest of one that broke. */
export const openStream = async (parts: ListenerParts, turn: HttpTurn): Promise<void> => {
  if (headerText(turn.request.headers, SESSION_HEADER) === undefined) {
    needsSession(turn);
    return;
  }
  checkVersion(turn);
  const holder = await sessionOf(parts, turn);
  if (holder === undefined || turn.response.destroyed) return;
  const { session } = holder;
  const writer = new SseWriter(turn.response, backpressureOf(parts, turn));
  session.openStreams += 1;
  turn.response.once('close', () => {
    session.openStreams -= 1;
    session.usedAt = performance.now();
  });
  holder.connect(writer, headerText(turn.request.headers, 'last-event-id'));
};

/** DELETE: the client is done with its session. */
export const endSession = async (parts: ListenerParts, turn: HttpTurn): Promise<void> => {
  if (headerText(turn.request.headers, SESSION_HEADER) === undefined) {
    needsSession(turn);
    return;
  }
  (await sessionOf(parts, turn))?.session.end();
  turn.response.writeHead(200, { 'content-length': 0 }).end();
};

export const refuseHttpMethod = needsSession;
