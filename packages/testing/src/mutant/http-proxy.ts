import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { readBody } from '../transport/read-body.js';
import type { HttpListener } from '../transport/http-server.js';
import type { FakeNetwork } from '../transport/network.js';
import { MessageFilter, parseObject, type FilterSettings } from './mutation/filter.js';
import type { HttpAnswered, HttpAsked } from './mutation/mutation.js';
import { mutateEvents } from './event-filter.js';

interface Proxy extends FilterSettings {
  /** Where the correct server listens. */
  readonly port: number;
  readonly network: FakeNetwork;
  readonly filters: Map<string, MessageFilter>;
  /** The streams of GET, with the session that each belongs to. */
  readonly listeners: Map<ServerResponse, string | undefined>;
  /** Ends it at once, as a crash would. */
  readonly stop: () => void;
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

/** HTTP+SSE spreads a conversation over several requests; their address tells which one it is. */
export const filterFor = ({ filters, ...settings }: Proxy, path: string): MessageFilter => {
  const session = new URL(path, 'http://localhost').searchParams.get('sessionId');
  if (settings.transport !== 'sse' || session === null) return new MessageFilter(settings);
  const known = filters.get(session) ?? new MessageFilter(settings);
  filters.set(session, known);
  return known;
};

const send = (response: ServerResponse, { status, headers }: HttpAnswered, body: string, after = ''): void => {
  const own = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:content-length|transfer-encoding|connection)$/iu.test(name)),
  );
  response.writeHead(status, { ...own, ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }) });
  response.end(`${body}${after}`);
};

const SURPLUS = '{"jsonrpc":"2.0","id":0,"result":{}}';
/** A response that belongs to no request. It is sent together with the one before, so no next request can take it for its own. */
const SURPLUS_RESPONSE = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${SURPLUS.length}\r\n\r\n${SURPLUS}`;

interface Relay {
  readonly proxy: Proxy;
  readonly asked: HttpAsked;
  readonly filter: MessageFilter;
  readonly from: IncomingMessage;
  readonly to: ServerResponse;
}

/** Sends a copy of an answer to others who listen, if that is the defect. */
const copyToListeners = ({ proxy, asked, to }: Pick<Relay, 'proxy' | 'asked' | 'to'>, text: string): void => {
  const { mutation, listeners, transport } = proxy;
  const message = parseObject(text);
  const answers = asked.method === 'POST' || transport === 'sse';
  if (!answers || message === undefined || mutation.http?.broadcast?.(message) !== true) return;
  for (const [listener, session] of listeners) {
    const concerned = listener !== to && session === asked.headers['mcp-session-id'];
    if (concerned) listener.write(`event: message\ndata: ${text}\n\n`);
  }
};

const relayBody = async ({ proxy, asked, filter, from, to }: Relay): Promise<void> => {
  const answered: HttpAnswered = { status: from.statusCode ?? 502, headers: flat(from) };
  const head = proxy.mutation.http?.response?.(answered, asked) ?? answered;
  if (proxy.mutation.http?.withhold?.(answered, asked) === true) return void from.resume();
  if ((answered.headers['content-type'] ?? '').startsWith('text/event-stream')) {
    const { 'transfer-encoding': _encoding, connection: _connection, ...headers } = head.headers;
    to.writeHead(head.status, headers);
    to.flushHeaders();
    if (asked.method === 'GET') {
      proxy.listeners.set(to, asked.headers['mcp-session-id']);
      to.once('close', () => proxy.listeners.delete(to));
    }
    return await mutateEvents({
      from,
      to,
      asked,
      filter,
      mutation: proxy.mutation,
      adopt: (path) => filterFor(proxy, path),
      onMessage: (text) => copyToListeners({ proxy, asked, to }, text),
    });
  }
  const body = await readBody(from);
  const texts = body === '' ? [''] : filter.toClient(body, parseObject(asked.body));
  for (const text of texts) copyToListeners({ proxy, asked, to }, text);
  const hasSurplus = proxy.mutation.http?.surplus?.(asked) === true;
  return send(to, head, texts.join(''), hasSurplus ? SURPLUS_RESPONSE : '');
};

const forward = (proxy: Proxy, asked: HttpAsked, filter: MessageFilter, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = asked.headers;
    const length = asked.body === '' ? {} : { 'content-length': String(Buffer.byteLength(asked.body)) };
    const upstream = requestHttp(
      {
        createConnection: () => proxy.network.connect(proxy.port),
        method: asked.method,
        path: asked.path,
        headers: { ...headers, ...length },
      },
      (answer) => {
        answer.on('error', () => response.destroy());
        void relayBody({ proxy, asked, filter, from: answer, to: response })
          .catch(() => void response.destroy())
          .then(resolve);
      },
    );
    upstream.on('error', () => {
      response.destroy();
      resolve();
    });
    response.once('close', () => upstream.destroy());
    upstream.end(asked.body);
  });

const handle = async (proxy: Proxy, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const came: HttpAsked = {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: flat(request),
    body: await readBody(request),
  };
  const own = proxy.mutation.http?.answer?.(came);
  if (own !== undefined) return send(response, own, own.body ?? '');
  const asked = proxy.mutation.http?.request?.(came) ?? came;
  const filter = filterFor(proxy, asked.path);
  if (asked.body === '') return await forward(proxy, asked, filter, response);
  if (filter.dies(asked.body)) return proxy.stop();
  const passage = filter.toServer(asked.body);
  if (passage.answer !== undefined) {
    if (proxy.transport === 'sse' && filter.speak !== undefined) {
      filter.speak(passage.answer);
      return send(response, { status: 202, headers: {} }, '');
    }
    const head = { status: passage.httpStatus, headers: { 'content-type': 'application/json' } };
    return send(response, head, passage.answer);
  }
  if (passage.forward === undefined) return send(response, { status: 202, headers: {} }, '');
  return await forward(proxy, { ...asked, body: passage.forward }, filter, response);
};

/** Listens in front of a correct server and lets the mutation have its way with what passes. */
export const listenMutated = async (
  correct: HttpListener,
  settings: FilterSettings,
  network: FakeNetwork,
): Promise<HttpListener> => {
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  const proxy: Proxy = { ...settings, port: correct.port, network, filters: new Map(), listeners: new Map(), stop };
  const server = createServer((request, response) => {
    void handle(proxy, request, response).catch(() => response.destroy());
  });
  const port = await network.listen(server, 0, proxy.mutation.http?.host ?? '127.0.0.1');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    await correct.close();
  };
  const url = correct.url.replace(`:${correct.port}`, `:${port}`);
  return { url, port, close, [Symbol.asyncDispose]: close };
};
