import { answer } from '../behaviour/answer.js';
import type { World } from '../behaviour/world.js';
import { failed, isRequest, type JsonRpcMessage, type JsonRpcRequest } from '../json-rpc/message.js';
import { asMessage, parseJson } from '../json-rpc/parse-message.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';
import { faultFor, recordArrival } from './arrival.js';
import { replacesAnswer } from './disturb.js';
import { HttpReply } from './http-reply.js';
import { openHttpServer, type HttpListener, type HttpRequest, type ListenOptions } from './http-server.js';
import { readBody } from './read-body.js';

const METHODS: Readonly<Record<string, string>> = { list_tools: 'tools/list', call_tool: 'tools/call' };
const HEADER = 'x-session-id';

const sessionOf = (world: World, http: HttpRequest, message: JsonRpcMessage): Session => {
  if ('method' in message && message.method === 'initialize') return world.sessions.open();
  const session = world.sessions.find(http.headers[HEADER]);
  if (session === undefined) throw new RpcError(-32_001, 'Session not found', { httpStatus: 404 });
  return session;
};

/** The same request under the names of the specification. */
const translated = (request: JsonRpcRequest): JsonRpcRequest => ({
  ...request,
  method: METHODS[request.method] ?? request.method,
});

const take = async (world: World, http: HttpRequest, message: JsonRpcMessage): Promise<void> => {
  const fault = faultFor(world, message);
  const { headers, connection } = http;
  recordArrival(world, { transport: 'external', message, headers, sessionId: headers[HEADER], connection }, 'legacy');
  const reply = new HttpReply(http.response, { mode: 'sse', fault });
  if (replacesAnswer(fault)) return await reply.replace();
  const session = sessionOf(world, http, message);
  if (!isRequest(message)) return await reply.status(202);
  reply.setHeader(HEADER, session.id);
  const exchange = {
    transport: 'external',
    era: 'legacy',
    session,
    headers,
    signal: http.closing,
    send: (sent: JsonRpcMessage) => reply.send(sent),
  } as const;
  const outcome = await answer(world, exchange, translated(message));
  return await (outcome === undefined ? reply.abandon() : reply.finish(outcome));
};

/**
 * The profile that some servers document instead of the specification: POST /sse, `x-session-id`, `list_tools` and
 * `call_tool`, answers as events, and GET / for health.
 */
export const listenExternalHttp = async (world: World, options: ListenOptions = {}): Promise<HttpListener> => {
  const path = options.path ?? '/sse';
  return await openHttpServer(world, { ...options, path }, async (http) => {
    const plain = new HttpReply(http.response, { mode: 'json', fault: {} });
    if (http.request.method === 'GET' && http.url.pathname === '/') return await plain.status(200, '{"status":"ok"}');
    if (http.request.method !== 'POST' || http.url.pathname !== path) return await plain.status(404);
    try {
      return await take(world, http, asMessage(parseJson(await readBody(http.request))));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return await plain.status(error.httpStatus, JSON.stringify(failed(null, error.toFailure())));
    }
  });
};
