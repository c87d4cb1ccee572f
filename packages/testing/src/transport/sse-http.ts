import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../behaviour/answer.js';
import type { Exchange } from '../behaviour/exchange.js';
import { takeNotice } from '../behaviour/notice.js';
import type { World } from '../behaviour/world.js';
import type { Fault } from '../fault/fault.js';
import { failed, isNotification, isResponse, type JsonRpcMessage, type JsonRpcRequest } from '../json-rpc/message.js';
import { asMessage, parseJson } from '../json-rpc/parse-message.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';
import { faultFor, recordArrival } from './arrival.js';
import { ByteSink } from './byte-sink.js';
import { disturb, replacesAnswer } from './disturb.js';
import { answerBatch, batchOf } from './http-batch.js';
import { isForeign } from './host-guard.js';
import { HttpReply, SSE_HEADERS } from './http-reply.js';
import { openHttpServer, type HttpListener, type HttpRequest, type ListenOptions } from './http-server.js';
import { readBody } from './read-body.js';
import { scriptedOutcome } from './scripted-outcome.js';
import { encodeEvent, SseStream } from './sse-stream.js';

interface Line {
  readonly session: Session;
  readonly stream: SseStream;
  readonly cut: () => void;
  readonly raw: (text: string) => void;
}

interface Post {
  readonly world: World;
  readonly line: Line;
  readonly http: HttpRequest;
  readonly fault: Fault;
}

const MESSAGES_PATH = '/messages';

const status = (http: HttpRequest, code: number, body = ''): Promise<void> =>
  new HttpReply(http.response, { mode: 'json', fault: {} }).status(code, body, 'text/plain');

/** The stream of one client: the endpoint first, then everything that the server says. */
const openLine = (world: World, lines: Map<string, Line>, http: HttpRequest, fault: Fault): void => {
  const session = world.sessions.open();
  const sink = new ByteSink(http.response);
  const stream = new SseStream({ endAfter: fault.endStreamAfter });
  http.response.writeHead(200, SSE_HEADERS);
  sink.write(encodeEvent({ event: 'endpoint', data: `${MESSAGES_PATH}?sessionId=${session.id}` }));
  stream.attach(sink);
  session.attach((message) => stream.push(message));
  const counted = world.counters.countStream();
  lines.set(session.id, {
    session,
    stream,
    cut: () => http.response.socket?.destroy(),
    raw: (text) => sink.write(text),
  });
  session.onClose(() => {
    lines.delete(session.id);
    void stream.finish();
  });
  http.response.once('close', () => {
    counted();
    world.sessions.drop(session.id);
  });
};

/** Plays on the stream a fault that stands in place of the answer; true when it did. */
const replaceOnStream = (line: Line, fault: Fault): boolean => {
  if (fault.cut === true) line.cut();
  else if (fault.endStreamAfter !== undefined) void line.stream.finish();
  else if (fault.hang === 'mid-event') line.raw('event: message\ndata: {"jsonrpc":"2.0","id":');
  else if (fault.body !== undefined && fault.status === undefined) line.raw(encodeEvent({ data: fault.body }));
  else return fault.hang !== undefined;
  return true;
};

const exchangeOn = (line: Line, { headers, closing }: HttpRequest): Exchange => ({
  transport: 'sse',
  era: 'legacy',
  session: line.session,
  headers,
  signal: closing,
  send: (message) => line.stream.push(message),
});

const answerOnLine = async (post: Post, request: JsonRpcRequest): Promise<void> => {
  const { world, line, http: from, fault } = post;
  const scripted = scriptedOutcome(request, fault);
  if (fault.afterHandler !== true && replaceOnStream(line, fault)) return;
  const worked =
    scripted !== undefined && fault.afterHandler !== true
      ? scripted
      : await answer(world, exchangeOn(line, from), request);
  if (fault.crash === 'while-working') return world.host.crash();
  const outcome = scripted ?? worked;
  if (outcome === undefined || replaceOnStream(line, fault)) return;
  for (const noise of fault.noise ?? []) line.stream.comment(noise);
  line.stream.push(disturb(outcome.response, fault));
  if (fault.duplicate === true) line.stream.push(outcome.response);
  if (fault.crash === 'after-result') world.host.crash();
};

const take = async (world: World, line: Line, http: HttpRequest, message: JsonRpcMessage): Promise<void> => {
  const fault = faultFor(world, message);
  if (fault.crash === 'before-read') return world.host.crash();
  const { headers, connection } = http;
  recordArrival(world, { transport: 'sse', message, headers, sessionId: line.session.id, connection }, 'legacy');
  if (fault.crash === 'after-read') return world.host.crash();
  if (fault.dropSession === true) {
    world.sessions.drop(line.session.id);
    return await status(http, 404, 'Could not find session');
  }
  if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { signal: http.closing });
  if (fault.status !== undefined && fault.afterHandler !== true) {
    return await new HttpReply(http.response, { mode: 'json', fault }).replace();
  }
  if (isResponse(message)) line.session.settle(message);
  if (isNotification(message)) takeNotice(message, line.session);
  await status(http, 202, 'Accepted');
  if (!isResponse(message) && !isNotification(message)) await answerOnLine({ world, line, http, fault }, message);
};

const takeBatch = async (world: World, line: Line, http: HttpRequest, values: readonly unknown[]): Promise<void> => {
  const messages = batchOf(values, line.session);
  await status(http, 202, 'Accepted');
  const responses = await answerBatch(world, exchangeOn(line, http), messages);
  if (responses.length > 0) line.raw(encodeEvent({ event: 'message', data: JSON.stringify(responses) }));
};

const post = async (world: World, lines: Map<string, Line>, http: HttpRequest): Promise<void> => {
  const line = lines.get(http.url.searchParams.get('sessionId') ?? '');
  const text = await readBody(http.request);
  if (line === undefined) return await status(http, 404, 'Could not find session');
  try {
    const value = parseJson(text);
    return await (Array.isArray(value)
      ? takeBatch(world, line, http, value)
      : take(world, line, http, asMessage(value)));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return await status(http, 400, JSON.stringify(failed(null, error.toFailure())));
  }
};

/** HTTP+SSE of 2024-11-05: answers come on the stream that GET opened. */
export const listenSseHttp = async (world: World, options: ListenOptions = {}): Promise<HttpListener> => {
  const path = options.path ?? '/sse';
  const lines = new Map<string, Line>();
  return await openHttpServer(world, { ...options, path }, async (http) => {
    if (isForeign(http.headers, world.options.allowedHosts)) return await status(http, 403);
    const verb = http.request.method;
    if (verb === 'POST' && http.url.pathname === MESSAGES_PATH) return await post(world, lines, http);
    if (http.url.pathname !== path) return await status(http, 404);
    const fault = world.script.take(verb ?? '');
    world.log.record({
      transport: 'sse',
      kind: 'http',
      method: verb ?? '',
      id: undefined,
      params: {},
      headers: http.headers,
      sessionId: undefined,
      era: undefined,
      connection: http.connection,
    });
    if (replacesAnswer(fault)) return await new HttpReply(http.response, { mode: 'json', fault }).replace();
    return verb === 'GET' ? openLine(world, lines, http, fault) : await status(http, 405);
  });
};
