import { answer } from '../behaviour/answer.js';
import { takeNotice } from '../behaviour/notice.js';
import type { World } from '../behaviour/world.js';
import { isRequest, isResponse, type JsonRpcMessage } from '../json-rpc/message.js';
import { asMessage } from '../json-rpc/parse-message.js';
import { INVALID_REQUEST, RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';
import { recordArrival } from './arrival.js';
import type { HttpRequest } from './http-server.js';
import { HttpReply } from './http-reply.js';
import { checkLegacyVersion, sessionFor } from './http-session.js';

const BATCHING_REVISION = '2025-03-26';

const answerOne = async (world: World, http: HttpRequest, session: Session | undefined, message: JsonRpcMessage) => {
  if (isResponse(message)) return session?.settle(message);
  if (!isRequest(message)) return takeNotice(message, session);
  const exchange = {
    transport: 'streamable-http',
    era: 'legacy',
    session,
    headers: http.headers,
    signal: http.closing,
    send: () => undefined,
  } as const;
  return (await answer(world, exchange, message))?.response;
};

/** A JSON-RPC batch, which only the revision 2025-03-26 knows; its answers come as one array. */
export const handleBatch = async (world: World, http: HttpRequest, values: readonly unknown[]): Promise<void> => {
  checkLegacyVersion(world, http.headers);
  const session = sessionFor(world, http.headers);
  if ((session?.protocolVersion ?? BATCHING_REVISION) !== BATCHING_REVISION || values.length === 0) {
    throw new RpcError(INVALID_REQUEST, 'Batches are not supported', { httpStatus: 400 });
  }
  const messages = values.map(asMessage);
  const { headers, connection } = http;
  for (const message of messages) {
    const arrival = { transport: 'streamable-http', message, headers, sessionId: session?.id, connection } as const;
    recordArrival(world, arrival, 'legacy');
  }
  const answers = await Promise.all(messages.map((message) => answerOne(world, http, session, message)));
  const responses = answers.filter((response) => response !== undefined);
  const reply = new HttpReply(http.response, { mode: 'json', fault: {} });
  await (responses.length === 0 ? reply.status(202) : reply.status(200, JSON.stringify(responses)));
};
