import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../behaviour/world.js';
import { handleDelete, handleGet } from './streamable-get.js';
import { isForeign } from './host-guard.js';
import { openHttpServer, type HttpListener, type HttpRequest, type ListenOptions } from './http-server.js';
import { HttpReply } from './http-reply.js';
import { replacesAnswer } from './disturb.js';
import { handlePost } from './streamable-post.js';
import { StreamStore } from './stream-store.js';

const unauthorised = (world: World, http: HttpRequest): boolean =>
  Object.entries(world.options.requireHeaders ?? {}).some(
    ([name, value]) => http.headers[name.toLowerCase()] !== value,
  );

const refuse = (http: HttpRequest, status: number, headers: Readonly<Record<string, string>> = {}): Promise<void> =>
  new HttpReply(http.response, { mode: 'json', fault: {}, headers }).status(status);

const recordVerb = (world: World, http: HttpRequest): void =>
  world.log.record({
    transport: 'streamable-http',
    kind: 'http',
    method: http.request.method ?? '',
    id: undefined,
    params: {},
    headers: http.headers,
    sessionId: http.headers['mcp-session-id'],
    era: undefined,
    connection: http.connection,
  });

const handleVerb = async (world: World, streams: StreamStore, http: HttpRequest): Promise<void> => {
  const verb = http.request.method ?? '';
  const fault = world.script.take(verb);
  recordVerb(world, http);
  if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { signal: http.closing });
  if (replacesAnswer(fault)) return await new HttpReply(http.response, { mode: 'json', fault }).replace();
  const legacy = (world.options.eras ?? 'legacy') !== 'modern';
  if (verb === 'GET' && legacy && world.options.getStream !== false) {
    return await handleGet(world, streams, http, fault);
  }
  if (verb === 'DELETE' && legacy && world.options.deleteSession !== false) return await handleDelete(world, http);
  return await refuse(http, 405, { allow: 'POST' });
};

/** Streamable HTTP in both eras on one endpoint. */
export const listenStreamableHttp = async (world: World, options: ListenOptions = {}): Promise<HttpListener> => {
  const path = options.path ?? '/mcp';
  const streams = new StreamStore();
  return await openHttpServer(world, options, async (http) => {
    if (http.url.pathname !== path) return await refuse(http, 404);
    if (isForeign(http.headers, world.options.allowedHosts)) return await refuse(http, 403);
    if (unauthorised(world, http)) return await refuse(http, 401, { 'www-authenticate': 'Bearer' });
    if (http.request.method === 'POST') return await handlePost(world, streams, http);
    return await handleVerb(world, streams, http);
  });
};
