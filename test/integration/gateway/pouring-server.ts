import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';

const EVENTS = 1600;
const EVENT_BYTES = 32 * 1024;
/** Far more than sockets and the hub together may keep. */
export const ALL_BYTES = EVENTS * EVENT_BYTES;
const PADDING = 'x'.repeat(EVENT_BYTES);

/** The text has everything that was poured, once and in order. */
export const expectAllInOrder = (text: string): void => {
  const numbers = [...text.matchAll(/"progress":(\d+),/gu)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
};

const EVENTS_OF: Readonly<Record<string, number>> = { pour: EVENTS, drip: 1 };

type Rpc = {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly _meta?: Readonly<Record<string, unknown>> };
};

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'pourer', version: '1' },
  },
  'tools/list': { tools: ['pour', 'drip', 'drop'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
  'tools/call': { content: [{ type: 'text', text: 'a drop' }] },
};

/**
 * A legacy server whose tool `pour` sends a flood on the one stream that the client has opened, as fast as it is read:
 * the stream of HTTP+SSE at `/sse`, that of GET at `/mcp`. It counts what it could send. Its tool `drip` sends one event.
 */
export class PouringServer {
  sent = 0;
  /** Streams that clients have opened. */
  opened = 0;
  /** Floods that go on. */
  pouring = 0;
  readonly #streams = new Map<string, ServerResponse>();
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  #origin = '';

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get sse(): object {
    return { mcp_server_type: 'sse', server_url: `${this.#origin}/sse` };
  }

  get streamable(): object {
    return { mcp_server_type: 'streamable_http', server_url: `${this.#origin}/mcp` };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** How much could be sent before it was held up for a while. */
  async sentUntilStill(): Promise<number> {
    for (let before = -1; before !== this.sent || before === 0;) {
      before = this.sent;
      await new Promise((next) => setTimeout(next, 300));
    }
    return this.sent;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.#origin);
    const session = url.searchParams.get('sessionId') ?? request.headers['mcp-session-id'];
    if (request.method === 'GET') {
      this.#open(url.pathname, String(session), response);
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const rpc = (body === '' ? { method: '' } : JSON.parse(body)) as Rpc;
    const result = RESULTS[rpc.method];
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
    const text = JSON.stringify({ jsonrpc: '2.0', id: rpc.id, ...answer });
    const stream = this.#streams.get(String(session));
    const onStream = url.pathname === '/messages';
    if (rpc.id === undefined || onStream) {
      response.writeHead(202).end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${Math.random()}` }).end(text);
    }
    const events = EVENTS_OF[rpc.params?.name ?? ''] ?? 0;
    if (events > 0 && stream !== undefined) await this.#pour(rpc, stream, events);
    if (rpc.id !== undefined && onStream) stream?.write(`data: ${text}\n\n`);
  }

  #open(path: string, session: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const name = path === '/sse' ? `s${Math.random()}` : session;
    this.#streams.set(name, response);
    this.opened += 1;
    if (path === '/sse') response.write(`event: endpoint\ndata: /messages?sessionId=${name}\n\n`);
  }

  /** Progress where it can be told from which call it is, else log messages. */
  async #pour({ params }: Rpc, stream: ServerResponse, events: number): Promise<void> {
    const progressToken = params?._meta?.['progressToken'];
    const method = progressToken === undefined ? 'notifications/message' : 'notifications/progress';
    const closed = once(stream, 'close');
    this.pouring += 1;
    for (let progress = 1; progress <= events && !stream.destroyed; progress += 1) {
      const told = { progressToken, level: 'error', progress, data: PADDING };
      this.sent += EVENT_BYTES;
      if (!stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method, params: told })}\n\n`)) {
        await Promise.race([once(stream, 'drain'), closed]);
      }
    }
    this.pouring -= 1;
  }
}
