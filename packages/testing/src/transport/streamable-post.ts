import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../behaviour/answer.js';
import type { Exchange } from '../behaviour/exchange.js';
import { takeNotice } from '../behaviour/notice.js';
import type { World } from '../behaviour/world.js';
import type { Era } from '../definition/era.js';
import type { Fault } from '../fault/fault.js';
import { failed, isNotification, isResponse, type JsonRpcMessage, type JsonRpcRequest } from '../json-rpc/message.js';
import { asMessage, parseJson } from '../json-rpc/parse-message.js';
import { INVALID_REQUEST, RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';
import { eraOf, faultFor, recordArrival } from './arrival.js';
import { replacesAnswer } from './disturb.js';
import { handleBatch } from './http-batch.js';
import type { HttpRequest } from './http-server.js';
import { HttpReply } from './http-reply.js';
import { checkLegacyVersion, sessionFor } from './http-session.js';
import { readBody } from './read-body.js';
import { scriptedOutcome } from './scripted-outcome.js';
import type { StreamStore } from './stream-store.js';

interface Post {
  readonly world: World;
  readonly streams: StreamStore;
  readonly http: HttpRequest;
  readonly message: JsonRpcMessage;
  readonly era: Era;
  readonly fault: Fault;
}

/** The session of a legacy message; initialize opens one. */
const legacySession = ({ world, http, message, fault }: Post): Session | undefined => {
  if ('method' in message && message.method === 'initialize') {
    return world.options.stateless === true ? undefined : world.sessions.open(fault.sessionId);
  }
  checkLegacyVersion(world, http.headers);
  return sessionFor(world, http.headers);
};

/** Modern: leaving the stream is the cancellation. Legacy: only the end of the listener is. */
const signalOf = ({ http, era }: Post): { readonly signal: AbortSignal; readonly release: () => void } => {
  if (era === 'legacy') return { signal: http.closing, release: () => undefined };
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  http.response.once('close', abort);
  return { signal: controller.signal, release: () => http.response.off('close', abort) };
};

const answerRequest = async (post: Post, request: JsonRpcRequest, session: Session | undefined, reply: HttpReply) => {
  const { world, http, era, fault } = post;
  const { signal, release } = signalOf(post);
  const streamed = world.options.answers !== 'json';
  const exchange: Exchange = {
    transport: 'streamable-http',
    era,
    session: era === 'legacy' ? session : undefined,
    headers: http.headers,
    signal,
    breakConnection: () => reply.breakOff(),
    send: (message) => (streamed || session === undefined ? reply.send(message) : session.send(message)),
  };
  try {
    const early = fault.afterHandler === true ? undefined : scriptedOutcome(request, fault);
    const worked = early ?? (await answer(world, exchange, request));
    if (fault.crash === 'while-working') return world.host.crash();
    if (replacesAnswer(fault)) return await reply.replace();
    const outcome = scriptedOutcome(request, fault) ?? worked;
    await (outcome === undefined ? reply.abandon() : reply.finish(outcome));
    if (fault.crash === 'after-result') world.host.crash();
  } finally {
    release();
  }
};

const replyTo = (post: Post, session: Session | undefined): HttpReply => {
  const { world, streams, http, era, fault, message } = post;
  const resumable = world.options.resumable === true && era === 'legacy' && session !== undefined;
  const reply = new HttpReply(http.response, {
    mode: world.options.answers ?? 'auto',
    fault,
    ...(resumable ? { onStream: () => streams.open(session) } : {}),
  });
  const opened = 'method' in message && message.method === 'initialize' ? session?.id : undefined;
  const id = fault.sessionId ?? opened;
  if (era === 'legacy' && id !== undefined) reply.setHeader('mcp-session-id', id);
  return reply;
};

const handleMessage = async (post: Post): Promise<void> => {
  const { world, http, message, era, fault } = post;
  const sessionId = http.headers['mcp-session-id'];
  if (fault.dropSession === true && sessionId !== undefined) world.sessions.drop(sessionId);
  if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { signal: http.closing });
  if (replacesAnswer(fault) && fault.afterHandler !== true) return await replyTo(post, undefined).replace();
  if (era === 'modern' && isResponse(message)) {
    throw new RpcError(INVALID_REQUEST, 'A modern client sends no responses', { httpStatus: 400 });
  }
  const session = era === 'legacy' ? legacySession(post) : undefined;
  const reply = replyTo(post, session);
  if (isResponse(message) || isNotification(message)) {
    if (isResponse(message)) session?.settle(message);
    else takeNotice(message, session);
    return replacesAnswer(fault) ? await reply.replace() : await reply.status(202);
  }
  return await answerRequest(post, message, session, reply);
};

const idOf = (value: unknown): string | number | null =>
  typeof value === 'object' && value !== null && 'id' in value && ['string', 'number'].includes(typeof value.id)
    ? (value.id as string | number)
    : null;

/** A web page can send other types without being asked for permission. */
const checkContentType = (type: string | undefined): void => {
  if (type === undefined || /^application\/(?:[\w.+-]+\+)?json\b/iu.test(type)) return;
  throw new RpcError(INVALID_REQUEST, 'The body must be application/json', { httpStatus: 415 });
};

/** One POST to the endpoint. */
export const handlePost = async (world: World, streams: StreamStore, http: HttpRequest): Promise<void> => {
  let value: unknown;
  try {
    checkContentType(http.headers['content-type']);
    value = parseJson(await readBody(http.request));
    if (Array.isArray(value)) return await handleBatch(world, http, value);
    const message = asMessage(value);
    const fault = faultFor(world, message);
    if (fault.crash === 'before-read') return world.host.crash();
    const era = eraOf(world, message, http.headers['mcp-protocol-version']);
    const { headers, connection } = http;
    const sessionId = headers['mcp-session-id'];
    recordArrival(world, { transport: 'streamable-http', message, headers, sessionId, connection }, era);
    if (fault.crash === 'after-read') return world.host.crash();
    return await handleMessage({ world, streams, http, message, era, fault });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const reply = new HttpReply(http.response, { mode: 'json', fault: {} });
    return await reply.status(error.httpStatus, JSON.stringify(failed(idOf(value), error.toFailure())));
  }
};
