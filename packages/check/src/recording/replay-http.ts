import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { isObject, tryJson, type JsonObject } from '../connection/json.js';
import type { HttpTap } from './http-tap.js';
import { refusedRequest } from './refused-request.js';
import type { Replayer } from './replayer.js';

const MAX_BODY = 16 * 1024 * 1024;

const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const end = (response: ServerResponse, status: number, body?: unknown): void => {
  response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

const SSE_PATH = '/sse';
const MESSAGES_PATH = '/messages';
/** More conversations at once are refused. */
const MOST = 256;

/** Serves a recording over HTTP+SSE: answers leave on the stream of the conversation that asked. */
class SseReplay {
  readonly #replayer: Replayer;
  readonly #streams = new Map<string, ServerResponse>();

  constructor(replayer: Replayer) {
    this.#replayer = replayer;
  }

  /** Opens a conversation; false when there are too many. */
  open(response: ServerResponse): boolean {
    if (this.#streams.size >= MOST) return false;
    const session = randomUUID();
    this.#streams.set(session, response);
    response.once('close', () => this.#streams.delete(session));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write(`event: endpoint\ndata: ${MESSAGES_PATH}?session=${session}\n\n`);
    return true;
  }

  /** The conversation that a request belongs to; undefined when the request is not one of HTTP+SSE. */
  conversation(url: string): ((message: JsonObject) => void) | undefined {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const stream = pathname === MESSAGES_PATH ? this.#streams.get(searchParams.get('session') ?? '') : undefined;
    if (stream === undefined) return undefined;
    return (message) => {
      const answer = this.#replayer.answer(message);
      if (answer !== undefined) stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    };
  }
}

interface Replay {
  readonly replayer: Replayer;
  readonly sse: SseReplay;
}

const answer = async ({ replayer, sse }: Replay, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const refused = refusedRequest(request);
  if (refused !== undefined) return end(response, refused);
  const { method, url = '' } = request;
  if (method === 'GET' && url === SSE_PATH) {
    if (!sse.open(response)) end(response, 503);
    return undefined;
  }
  if (method !== 'POST') return end(response, 405);
  const text = await bodyOf(request);
  const message = text === undefined ? undefined : tryJson(text);
  if (!isObject(message)) {
    return end(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } });
  }
  const conversation = sse.conversation(url);
  if (conversation !== undefined) {
    end(response, 202);
    conversation(message);
    return undefined;
  }
  const answered = replayer.answer(message);
  return end(response, answered === undefined ? 202 : 200, answered);
};

interface ServedReplay extends HttpTap {
  /** Where clients of HTTP+SSE connect. */
  readonly sseUrl: string;
}

/** Serves a recording over Streamable HTTP and HTTP+SSE, on this machine only. */
export const serveReplayHttp = async (replayer: Replayer, port = 0): Promise<ServedReplay> => {
  const replay: Replay = { replayer, sse: new SseReplay(replayer) };
  const server = createServer((request, response) => {
    void answer(replay, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    sseUrl: `${origin}${SSE_PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
