import { once } from 'node:events';
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBody } from '../../transport/read-body.js';
import type { FaultBoard } from '../board/fault-board.js';
import type { FaultKind, ProxyFault } from '../board/proxy-fault.js';
import { changeAnswer, GARBAGE, requestIdOf } from '../board/change-answer.js';
import { listen } from '../tcp/listen.js';
import { endpointPath, withPath } from './endpoint-event.js';
import { EventFaults } from './event-faults.js';
import { EventSplitter, withData, type WrittenEvent } from './event-splitter.js';
import { refusedRequest } from './refused-request.js';
import { StruckAnswers } from './struck-answers.js';

export interface HttpRelay extends AsyncDisposable {
  readonly port: number;
  close(): Promise<void>;
}

/** What can befall an answer that is one body. */
const PLAIN: readonly FaultKind[] = [
  'status',
  'truncate',
  'garbage',
  'surplus',
  'drop-listeners',
  'wrong-id',
  'late-response',
];
/** What can befall an answer that is an event stream. */
const STREAM: readonly FaultKind[] = [
  ...PLAIN,
  'drop-stream',
  'duplicate-events',
  'reorder-events',
  'duplicate-response',
];

/** Over HTTP+SSE these strike the response to a request; the others strike its answer on the stream. */
const POSTED: readonly FaultKind[] = ['status', 'surplus'];
const ON_STREAM: readonly FaultKind[] = [
  'truncate',
  'garbage',
  'drop-stream',
  'duplicate-events',
  'wrong-id',
  'duplicate-response',
  'late-response',
];

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

const plainHeaders = ({ headers }: IncomingMessage): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, value]],
    ),
  );

const isStream = ({ headers }: IncomingMessage): boolean =>
  (headers['content-type'] ?? '').startsWith('text/event-stream');

interface Ground {
  readonly board: FaultBoard;
  readonly origin: URL;
  /** The streams that clients opened with GET. */
  readonly listeners: Set<ServerResponse>;
  readonly forgotten: Set<string>;
  /** Where clients of HTTP+SSE send their requests, as long as their streams are there. */
  readonly endpoints: Set<string>;
  readonly struck: StruckAnswers;
}

const NOT_FOUND: Extract<ProxyFault, { kind: 'status' }> = { kind: 'status', status: 404 };

/** One request on its way through the proxy. */
class Passage {
  readonly #board: FaultBoard;
  readonly #origin: URL;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #listeners: Set<ServerResponse>;
  readonly #forgotten: Set<string>;
  readonly #endpoints: Set<string>;
  readonly #struck: StruckAnswers;
  readonly #gone = new AbortController();

  constructor(ground: Ground, request: IncomingMessage, response: ServerResponse) {
    this.#board = ground.board;
    this.#origin = ground.origin;
    this.#listeners = ground.listeners;
    this.#forgotten = ground.forgotten;
    this.#endpoints = ground.endpoints;
    this.#struck = ground.struck;
    this.#request = request;
    this.#response = response;
    response.once('close', () => this.#gone.abort());
  }

  async run(): Promise<void> {
    const refused = refusedRequest(this.#request);
    if (refused !== undefined) {
      this.#response.writeHead(refused).end();
      return;
    }
    const body = await readBody(this.#request);
    const session = String(this.#request.headers['mcp-session-id'] ?? '');
    const before =
      body === ''
        ? undefined
        : this.#board.take(body, 'request', session === '' ? STREAM : [...STREAM, 'forget-session']);
    if (before?.kind === 'forget-session') this.#forgotten.add(session);
    if (this.#forgotten.has(session)) return this.#status(NOT_FOUND);
    if (before?.kind === 'status') return this.#status(before);
    if (before?.kind === 'drop-listeners') for (const listener of this.#listeners) listener.destroy();
    else if (before !== undefined) return this.#garbage();
    if (this.#endpoints.has(this.#request.url ?? '')) return await this.#posted(body);
    const answer = await this.#forward(body);
    const fault = body === '' ? undefined : this.#board.take(body, 'response', isStream(answer) ? STREAM : PLAIN);
    if (fault?.kind === 'status') {
      answer.resume();
      return this.#status(fault);
    }
    await (isStream(answer) ? this.#stream(answer, fault) : this.#plain(answer, fault));
  }

  /** A request of HTTP+SSE: its answer comes on the stream. */
  async #posted(body: string): Promise<void> {
    const fault = body === '' ? undefined : this.#board.take(body, 'response', [...POSTED, ...ON_STREAM]);
    const isOnStream = fault !== undefined && ON_STREAM.includes(fault.kind);
    // Before the server has the request: its answer may be faster than the response.
    if (isOnStream) this.#struck.expect(this.#request.url ?? '', body, fault);
    const answer = await this.#forward(body);
    if (fault?.kind !== 'status') return await this.#plain(answer, isOnStream ? undefined : fault);
    answer.resume();
    return this.#status(fault);
  }

  /** A stream that a client listens on. The first event tells whether it is one of HTTP+SSE. */
  async #listened(answer: IncomingMessage): Promise<void> {
    const response = this.#response;
    const splitter = new EventSplitter();
    let path: string | undefined;
    for await (const chunk of answer) {
      for (const event of splitter.push(chunk as Buffer)) {
        const named = path === undefined ? endpointPath(event, this.#origin) : undefined;
        const fault = path === undefined ? undefined : this.#struck.take(path, event.data);
        if (named !== undefined) {
          path = named;
          this.#endpoints.add(named);
          response.once('close', () => this.#endpoints.delete(named));
          response.write(withPath(event, named));
        } else if (fault === undefined) {
          if (!response.write(event.raw)) await once(response, 'drain', { signal: this.#gone.signal });
        } else if (this.#strike(event, fault)) {
          return;
        }
      }
    }
    response.end(splitter.rest);
  }

  /** Whether the stream ends with it. */
  #strike(event: WrittenEvent, fault: ProxyFault): boolean {
    const response = this.#response;
    if (fault.kind === 'truncate') {
      this.#cut(Buffer.from(event.raw.slice(0, event.raw.length >> 1)));
      return true;
    }
    if (fault.kind === 'garbage') {
      response.write(withData(event, GARBAGE));
      return false;
    }
    const { write, waitMs, cut } = new EventFaults(fault).take(event);
    if (cut) {
      this.#cut(Buffer.alloc(0));
      return true;
    }
    const late = setTimeout(() => {
      for (const text of write) if (!response.writableEnded) response.write(text);
    }, waitMs);
    this.#gone.signal.addEventListener('abort', () => clearTimeout(late), { once: true });
    return false;
  }

  #status({ status, headers = {} }: Extract<ProxyFault, { kind: 'status' }>): void {
    this.#response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`fault ${status}`);
  }

  #garbage(): void {
    this.#response.writeHead(200, { 'content-type': 'application/json' }).end(GARBAGE);
  }

  #forward(body: string): Promise<IncomingMessage> {
    const { method = 'GET', url: path = '/' } = this.#request;
    const origin = this.#origin;
    const headers = {
      ...plainHeaders(this.#request),
      host: origin.host,
      ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    };
    return new Promise((resolve, reject) => {
      const send = origin.protocol === 'https:' ? requestHttps : requestHttp;
      const upstream = send(origin, { method, path, headers, agent: false }, resolve);
      upstream.on('error', reject);
      this.#gone.signal.addEventListener('abort', () => upstream.destroy(), { once: true });
      if (requestIdOf(body) !== undefined) this.#board.deliver(body);
      upstream.end(body);
    });
  }

  async #plain(answer: IncomingMessage, fault: ProxyFault | undefined): Promise<void> {
    const text = await readBody(answer);
    const response = this.#response;
    const headers = plainHeaders(answer);
    if (fault?.kind === 'garbage') return this.#garbage();
    const changed = fault === undefined || text === '' ? { texts: [text], waitMs: 0 } : changeAnswer(text, fault);
    if (changed.waitMs > 0) await sleep(changed.waitMs, undefined, { signal: this.#gone.signal });
    const [sent = ''] = changed.texts;
    const bytes = Buffer.from(sent);
    const length =
      answer.statusCode === 204 || answer.statusCode === 304 ? {} : { 'content-length': String(bytes.length) };
    response.writeHead(answer.statusCode ?? 502, { ...headers, ...length });
    if (fault?.kind === 'truncate') return this.#cut(bytes.subarray(0, bytes.length >> 1));
    if (fault?.kind === 'surplus') this.#addSurplus(bytes);
    response.end(bytes);
  }

  async #stream(answer: IncomingMessage, fault: ProxyFault | undefined): Promise<void> {
    const response = this.#response;
    if (fault?.kind === 'garbage') {
      answer.destroy();
      return this.#garbage();
    }
    response.writeHead(answer.statusCode ?? 502, plainHeaders(answer));
    response.flushHeaders();
    answer.on('error', () => response.destroy());
    if (this.#request.method === 'GET') {
      this.#listeners.add(response);
      response.once('close', () => this.#listeners.delete(response));
      return await this.#listened(answer);
    }
    if (fault === undefined) {
      answer.pipe(response);
      return;
    }
    if (fault.kind === 'truncate') {
      for await (const chunk of answer) return this.#cut((chunk as Buffer).subarray(0, (chunk as Buffer).length >> 1));
    }
    if (fault.kind === 'surplus') this.#addSurplus(Buffer.from('data: {"jsonrpc":"2.0","id":0,"result":{}}\n\n'));
    const splitter = new EventSplitter();
    const faults = new EventFaults(fault);
    for await (const chunk of answer) {
      for (const event of splitter.push(chunk as Buffer)) {
        const { write, waitMs, cut } = faults.take(event);
        if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.#gone.signal });
        for (const text of write) {
          // A client that does not read must not fill the memory of the proxy.
          if (!response.write(text)) await once(response, 'drain', { signal: this.#gone.signal });
        }
        if (cut) return this.#cut(Buffer.alloc(0));
      }
    }
    response.end([...faults.flush().write, splitter.rest].join(''));
  }

  /** The connection ends in the middle of the body. */
  #cut(bytes: Buffer): void {
    this.#response.write(bytes.length === 0 ? ':\n' : bytes, () => {
      this.#response.socket?.end();
      this.#response.destroy();
    });
  }

  /** A second response right behind the first one: the next request on this connection would find it. */
  #addSurplus(body: Buffer): void {
    const { socket } = this.#response;
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    this.#response.once('finish', () => socket?.write(Buffer.concat([Buffer.from(head), body])));
  }
}

/** Passes HTTP on to a server, with the faults of HTTP and of JSON-RPC on the way. */
export const openHttpRelay = async (board: FaultBoard, origin: URL): Promise<HttpRelay> => {
  const ground: Ground = {
    board,
    origin,
    listeners: new Set(),
    forgotten: new Set(),
    endpoints: new Set(),
    struck: new StruckAnswers(),
  };
  const server = createServer((request, response) => {
    void new Passage(ground, request, response).run().catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  const port = await listen(server, 0, '127.0.0.1');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return { port, close, [Symbol.asyncDispose]: close };
};
