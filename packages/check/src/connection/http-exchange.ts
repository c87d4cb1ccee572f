import { once } from 'node:events';
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pause, within } from './deadline.js';
import type { HttpRequest } from './http-request.js';
import { Mailbox } from './mailbox.js';
import type { Network } from './network.js';
import { Unreachable } from './no-answer.js';
import { portOf } from './port-of.js';
import { SseParser, type SseEvent } from './sse-parser.js';
import type { Transcript } from './transcript.js';

export interface HttpHead {
  readonly status: number;
  /** By lower-case name; several values are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpSettings {
  readonly transcript: Transcript;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly network?: Network | undefined;
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const flat = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

/** One request and its answer, which may still be coming. */
export class HttpExchange implements HttpHead {
  readonly connection: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The events of a stream; empty for any other content type. */
  readonly events = new Mailbox<SseEvent>();
  readonly #request: ClientRequest;
  readonly #chunks: Uint8Array[] = [];
  readonly #ended: Promise<void>;
  readonly #deadlineMs: number;
  readonly #signal: AbortSignal;

  constructor(request: ClientRequest, response: IncomingMessage, connection: number, settings: HttpSettings) {
    this.#request = request;
    this.#deadlineMs = settings.deadlineMs;
    this.#signal = settings.signal;
    this.connection = connection;
    this.status = response.statusCode ?? 0;
    this.headers = flat(response);
    const { transcript } = settings;
    const head = Object.entries(this.headers).map(([name, value]) => `${name}: ${value}\n`);
    transcript.record(connection, 'received', `HTTP/1.1 ${this.status}\n${head.join('')}`);
    const parser = this.isStream ? new SseParser() : undefined;
    response.on('data', (chunk: Buffer) => {
      transcript.record(connection, 'received', chunk);
      this.#chunks.push(chunk);
      for (const event of parser?.push(chunk) ?? []) this.events.put(event);
    });
    this.#ended = new Promise((resolve) => {
      response.once('close', () => {
        this.events.end(response.complete ? 'the stream ended' : 'the stream broke off');
        resolve();
      });
      response.once('error', () => resolve());
    });
  }

  get isStream(): boolean {
    return (this.headers['content-type'] ?? '').toLowerCase().startsWith('text/event-stream');
  }

  /** What has come of the body so far. */
  get received(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  /** The body, when it has come to its end. */
  async text(): Promise<string> {
    await within(this.#ended, { ms: this.#deadlineMs, what: 'end of the body', signal: this.#signal });
    return this.received;
  }

  /** The body; of a stream what came in time, for it may stay open after it has said everything. */
  async whole(): Promise<string> {
    if (!this.isStream) return await this.text();
    await this.endsWithin(this.#deadlineMs);
    return this.received;
  }

  /** Whether the server has ended the answer by itself. */
  async endsWithin(ms: number): Promise<boolean> {
    return await within(
      this.#ended.then(() => true),
      { ms, what: 'end of the stream', signal: this.#signal },
    ).catch(() => false);
  }

  close(): void {
    this.#request.destroy();
  }
}

/** The request as it goes over the wire, for the transcript. */
export const requestText = ({ method, url, headers, body }: HttpRequest): string => {
  const { pathname, search } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `${method} ${pathname}${search} HTTP/1.1\n${lines.join('')}\n${typeof body === 'string' ? body : Buffer.from(body ?? []).toString('utf8')}`;
};

/** A connection of its own for every request; a request with `createConnection` has no agent. */
const routeOf = (url: URL, network: Network | undefined): RequestOptions => {
  const { connect } = network ?? {};
  if (connect !== undefined) return { createConnection: () => connect(portOf(url), url.hostname) };
  return { agent: false, ...(network === undefined ? {} : { lookup: network.lookup }) };
};

/** How much is written at a time. */
const PIECE = 64 * 1024;
/** How long a server that refuses a body by its length may take to say so. */
const REFUSAL_MS = 300;

/**
 * Writes a long body piece by piece, and stops when the answer is there: a server may refuse it by its length and hang up, and
 * what is written to a closed connection destroys the answer that is waiting in it.
 */
const writeBody = async (request: ClientRequest, body: Buffer): Promise<void> => {
  const answered = new AbortController();
  for (const event of ['response', 'close']) request.once(event, () => answered.abort());
  for (let at = 0; at < body.byteLength && !answered.signal.aborted; at += PIECE) {
    const isRoom = request.write(body.subarray(at, at + PIECE));
    if (at === 0) await pause(REFUSAL_MS, answered.signal);
    else if (!isRoom) await once(request, 'drain', { signal: answered.signal }).catch(() => undefined);
  }
  if (!answered.signal.aborted) request.end();
};

/** Sends a request on a socket of its own and waits for the head of the answer. */
export const openHttpExchange = async (asked: HttpRequest, settings: HttpSettings): Promise<HttpExchange> => {
  const { transcript, signal, deadlineMs, network } = settings;
  network?.admit(asked.url);
  const connection = transcript.connect();
  transcript.record(connection, 'sent', requestText(asked));
  transcript.keep(connection, asked);
  const url = new URL(asked.url);
  const body = asked.body === undefined ? undefined : Buffer.from(asked.body);
  const length = body === undefined ? {} : { 'content-length': String(body.byteLength) };
  const options: RequestOptions = {
    method: asked.method,
    headers: { ...length, ...asked.headers },
    ...routeOf(url, network),
  };
  const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
  const opened = new Promise<HttpExchange>((resolve, reject) => {
    request.once('response', (response) => resolve(new HttpExchange(request, response, connection, settings)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      transcript.record(connection, 'note', error.message);
      reject(UNREACHABLE.has(error.code ?? '') ? new Unreachable(`${url.origin} cannot be reached.`) : error);
    });
  });
  if (body === undefined || body.byteLength <= PIECE) request.end(body);
  else void writeBody(request, body);
  try {
    return await within(opened, { ms: deadlineMs, what: `answer to ${asked.method} ${url.pathname}`, signal });
  } catch (error) {
    request.destroy();
    throw error;
  }
};
