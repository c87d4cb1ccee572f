import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Network } from '../../connection/network.js';
import { portOf } from '../../connection/port-of.js';
import { SseParser, type SseEvent } from '../../connection/sse-parser.js';
import { HttpResponseReader, type ResponseHead } from './http-response-reader.js';

/** The outcome of one request. */
export interface HttpOutcome {
  readonly head: ResponseHead | undefined;
  /** The body of an answer that is no stream. */
  readonly text: string;
  /** When the first byte of the body came. */
  readonly firstAt: number;
  /** Why there is no answer, in one or two words. */
  readonly failure: string | undefined;
}

export interface HttpAsk {
  /** The request line and the headers, without the length of the body. */
  readonly head: string;
  readonly body: string;
  readonly deadlineMs: number;
  /** Told of each event of a stream; true: everything has come. */
  readonly onEvent?: (event: SseEvent) => boolean;
  /** Told of the head of the answer. */
  readonly onHead?: (head: ResponseHead) => void;
  /** Told that a piece of the body came, whatever is in it. */
  readonly onChunk?: () => void;
}

/** How long a stream may stay open after its answer until the connection is given up. */
const GRACE_MS = 100;
const MAX_BODY = 64 * 1024 * 1024;

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ETIMEDOUT: 'connection timed out',
  EMFILE: 'too many open files here',
  EADDRNOTAVAIL: 'no local port left',
};

interface Pending {
  readonly ask: HttpAsk;
  readonly resolve: (outcome: HttpOutcome) => void;
  timer: NodeJS.Timeout;
  answered: boolean;
  head: ResponseHead | undefined;
  chunks: Buffer[];
  size: number;
  firstAt: number;
  parser: SseParser | undefined;
}

/** A kept connection that carries one request after the other. */
export class HttpPipe {
  readonly #url: URL;
  readonly #network: Network | undefined;
  readonly #reader: HttpResponseReader;
  #socket: Duplex | undefined;
  #pending: Pending | undefined;
  #hadSurplus = false;

  constructor(url: string, network: Network | undefined) {
    this.#url = new URL(url);
    this.#network = network;
    this.#reader = new HttpResponseReader({
      onHead: (head) => this.#onHead(head),
      onBody: (chunk) => this.#onBody(chunk),
      onEnd: () => this.#finish(undefined),
      onSurplus: () => {
        this.#hadSurplus = true;
        this.#drop();
      },
      onIdleTimeout: () => this.#drop(),
      onMalformed: () => this.#fail('not HTTP'),
    });
  }

  /** Only one at a time. */
  exchange(ask: HttpAsk): Promise<HttpOutcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#fail('timeout'), ask.deadlineMs);
      this.#pending = {
        ask,
        resolve,
        timer,
        answered: false,
        head: undefined,
        chunks: [],
        size: 0,
        firstAt: 0,
        parser: undefined,
      };
      this.#reader.expect();
      const socket = this.#socket ?? this.#open();
      socket.write(Buffer.from(`${ask.head}content-length: ${Buffer.byteLength(ask.body)}\r\n\r\n${ask.body}`));
    });
  }

  /** Whether bytes came that nobody asked for; says so once. */
  takeSurplus(): boolean {
    const had = this.#hadSurplus;
    this.#hadSurplus = false;
    return had;
  }

  close(): void {
    this.#fail('closed');
    this.#drop();
  }

  #open(): Duplex {
    const { hostname, protocol } = this.#url;
    const port = portOf(this.#url);
    const host = hostname.replace(/^\[(.*)\]$/u, '$1');
    this.#network?.admit(this.#url.href);
    const lookup = this.#network === undefined ? {} : { lookup: this.#network.lookup };
    const socket =
      this.#network?.connect?.(port, host) ??
      (protocol === 'https:'
        ? connectTls({ host, port, servername: host, ...lookup })
        : connectTcp({ host, port, noDelay: true, ...lookup }));
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      if (this.#socket === socket) this.#reader.push(chunk);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#socket === socket) this.#fail(FAILURES[error.code ?? ''] ?? error.code ?? 'connection failed');
    });
    socket.once('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (!this.#reader.end()) this.#fail('connection closed');
    });
    return socket;
  }

  #onHead(head: ResponseHead): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    pending.head = head;
    pending.ask.onHead?.(head);
    if (head.isStream) pending.parser = new SseParser();
  }

  #onBody(chunk: Buffer): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    if (pending.firstAt === 0) pending.firstAt = performance.now();
    pending.ask.onChunk?.();
    if (pending.parser === undefined) {
      pending.size += chunk.length;
      if (pending.size > MAX_BODY) return this.#fail('answer too large');
      pending.chunks.push(chunk);
      return;
    }
    for (const event of pending.parser.push(chunk)) {
      if (pending.ask.onEvent?.(event) !== true || pending.answered) continue;
      pending.answered = true;
      clearTimeout(pending.timer);
      pending.timer = setTimeout(() => this.#giveUp(pending), GRACE_MS);
    }
  }

  /** The answer is there, and its stream stays open: the next request gets a connection of its own. */
  #giveUp(pending: Pending): void {
    if (this.#pending !== pending) return;
    this.#finish(undefined);
    this.#drop();
  }

  #fail(failure: string): void {
    const answered = this.#pending?.answered === true;
    this.#finish(answered ? undefined : failure);
    this.#drop();
  }

  #finish(failure: string | undefined): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    clearTimeout(pending.timer);
    const { head, chunks, firstAt } = pending;
    const only = chunks.length === 1 ? chunks[0] : undefined;
    const text = chunks.length === 0 ? '' : (only ?? Buffer.concat(chunks)).toString('utf8');
    if (head?.closes === true) this.#drop();
    pending.resolve({ head, text, firstAt, failure });
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }
}
