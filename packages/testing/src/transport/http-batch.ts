import { answer } from '../behaviour/answer.js';
import type { Exchange } from '../behaviour/exchange.js';
import { takeNotice } from '../behaviour/notice.js';
import type { World } from '../behaviour/world.js';
import { isRequest, isResponse, type JsonRpcMessage, type JsonRpcResponse } from '../json-rpc/message.js';
import { asMessage } from '../json-rpc/parse-message.js';
import { INVALID_REQUEST, RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';
import { recordArrival } from './arrival.js';
import type { HttpRequest } from './http-server.js';
import { HttpReply } from './http-reply.js';
import { checkLegacyVersion, sessionFor } from './http-session.js';

const BATCHING_REVISION = '2025-03-26';

const answerOne = async (world: World, exchange: Exchange, message: JsonRpcMessage) => {
  if (isResponse(message)) return exchange.session?.settle(message);
  if (!isRequest(message)) return takeNotice(message, exchange.session);
  return (await answer(world, exchange, message))?.response;
};

/** The messages of a JSON-RPC batch, which only the revision 2025-03-26 knows. */
export const batchOf = (values: readonly unknown[], session: Session | undefined): readonly JsonRpcMessage[] => {
  if ((session?.protocolVersion ?? BATCHING_REVISION) !== BATCHING_REVISION || values.length === 0) {
    throw new RpcError(INVALID_REQUEST, 'Batches are not supported', { httpStatus: 400 });
  }
  return values.map(asMessage);
};

/** The responses to the requests of a batch; what is not a request has none. */
export const answerBatch = async (
  world: World,
  exchange: Exchange,
  messages: readonly JsonRpcMessage[],
): Promise<readonly JsonRpcResponse[]> => {
  const answers = await Promise.all(messages.map((message) => answerOne(world, exchange, message)));
  return answers.filter((response) => response !== undefined);
};

/** A batch over HTTP: its answers come as one array. */
export const handleBatch = async (world: World, http: HttpRequest, values: readonly unknown[]): Promise<void> => {
  checkLegacyVersion(world, http.headers);
  const session = sessionFor(world, http.headers);
  const messages = batchOf(values, session);
  const { headers, connection } = http;
  for (const message of messages) {
    const arrival = { transport: 'streamable-http', message, headers, sessionId: session?.id, connection } as const;
    recordArrival(world, arrival, 'legacy');
  }
  const exchange = {
    transport: 'streamable-http',
    era: 'legacy',
    session,
    headers,
    signal: http.closing,
    send: () => undefined,
  } as const;
  const responses = await answerBatch(world, exchange, messages);
  const reply = new HttpReply(http.response, { mode: 'json', fault: {} });
  await (responses.length === 0 ? reply.status(202) : reply.status(200, JSON.stringify(responses)));
};
