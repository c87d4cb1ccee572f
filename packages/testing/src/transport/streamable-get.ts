import type { World } from '../behaviour/world.js';
import type { Fault } from '../fault/fault.js';
import { failed } from '../json-rpc/message.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';
import { ByteSink } from './byte-sink.js';
import type { HttpRequest } from './http-server.js';
import { HttpReply, SSE_HEADERS } from './http-reply.js';
import { checkLegacyVersion, sessionFor } from './http-session.js';
import { SseStream } from './sse-stream.js';
import type { StreamStore } from './stream-store.js';

const refused = async (http: HttpRequest, error: unknown): Promise<undefined> => {
  if (!(error instanceof RpcError)) throw error;
  const reply = new HttpReply(http.response, { mode: 'json', fault: {} });
  await reply.status(error.httpStatus, JSON.stringify(failed(null, error.toFailure())));
  return undefined;
};

const admitted = async (world: World, http: HttpRequest): Promise<{ session: Session | undefined } | undefined> => {
  try {
    checkLegacyVersion(world, http.headers);
    return { session: sessionFor(world, http.headers) };
  } catch (error) {
    return await refused(http, error);
  }
};

/** The stream for messages that belong to no request, or the rest of one that broke. */
export const handleGet = async (world: World, streams: StreamStore, http: HttpRequest, fault: Fault): Promise<void> => {
  const reply = new HttpReply(http.response, { mode: 'json', fault: {} });
  if (!(http.headers['accept'] ?? '').includes('text/event-stream')) return await reply.status(406);
  const entry = await admitted(world, http);
  if (entry === undefined) return;
  if (entry.session === undefined) return await reply.status(405);
  const { session } = entry;
  const lastEventId = http.headers['last-event-id'];
  const resumed = lastEventId === undefined ? undefined : streams.find(session, lastEventId);
  const sink = new ByteSink(http.response, fault);
  http.response.writeHead(200, { ...SSE_HEADERS, 'mcp-session-id': session.id });
  http.response.flushHeaders();
  if (resumed !== undefined) {
    countStream(world, http, session, () => void sink.end());
    return resumed.stream.attach(sink, resumed.position);
  }
  const opened = world.options.resumable === true ? streams.open(session) : undefined;
  const stream = new SseStream({ id: opened?.id, endAfter: fault.endStreamAfter });
  opened?.opened(stream);
  stream.attach(sink);
  const detach = session.attach((message) => stream.push(message));
  countStream(world, http, session, () => void stream.finish());
  http.response.once('close', detach);
  return undefined;
};

const countStream = (world: World, http: HttpRequest, session: Session, end: () => void): void => {
  const counted = world.counters.countStream();
  const forget = session.onClose(end);
  http.response.once('close', () => {
    counted();
    forget();
  });
};

export const handleDelete = async (world: World, http: HttpRequest): Promise<void> => {
  const entry = await admitted(world, http);
  if (entry === undefined) return;
  const reply = new HttpReply(http.response, { mode: 'json', fault: {} });
  if (entry.session === undefined) return await reply.status(405);
  world.sessions.drop(entry.session.id);
  return await reply.status(200);
};
